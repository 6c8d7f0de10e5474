import { createRoute, z } from '@hono/zod-openapi';
import { ProblemReport } from '../../core/problem.ts';
import { latestLabelSet } from '../../harness/workspace/label-sets.ts';
import { listVersions } from '../../harness/workspace/versions.ts';
import type { Services } from '../services.ts';
import { judgeView } from './judges.ts';
import { answers, routes } from './route.ts';
import { readable } from './rubrics.ts';

/** Something that waits for a person. */
const Waiting = z.strictObject({
  kind: z.enum(['import', 'label', 'freeze', 'run', 'calibrate', 'renew', 'mend']),
  text: z.string(),
  /** The page that does it, as a hash path. */
  href: z.string(),
});

const Overview = z.strictObject({
  workspace: z.string(),
  counts: z.strictObject({
    datasets: z.number().int(),
    samples: z.number().int(),
    labelled: z.number().int(),
    rubrics: z.number().int(),
    judges: z.number().int(),
    calibrated: z.number().int(),
  }),
  waiting: z.array(Waiting),
  problems: z.array(ProblemReport),
});

/** Days before its expiry at which a calibration asks to be renewed. */
const SOON = 14;

/** What is there and what waits for a person. */
export function overviewRoutes(services: Services) {
  const { workspace, store, now } = services;
  return routes().openapi(
    createRoute({
      method: 'get',
      path: '/overview',
      summary: 'What is there and what waits',
      responses: answers(Overview),
    }),
    (c) => {
      const datasets = store.samples
        .datasets()
        .map((dataset) => ({ ...dataset, labelled: store.samples.labelled(dataset.id) }));
      const { views: judges, problems } = readable(listVersions(workspace, 'judges'), (file) =>
        judgeView(services, file.ref),
      );
      const soon = new Date(now().getTime() + SOON * 86_400_000).toISOString().slice(0, 10);
      const waiting: z.infer<typeof Waiting>[] = [];
      if (datasets.length === 0)
        waiting.push({ kind: 'import', text: 'Import samples to label', href: '#/samples' });
      for (const { name, samples, labelled, rubric } of datasets) {
        const place = rubric === null ? '' : `?dataset=${name}&rubric=${rubric}`;
        if (labelled < samples)
          waiting.push({
            kind: 'label',
            text: `${samples - labelled} of ${samples} samples in ${name} have no label yet`,
            href: `#/label${place}`,
          });
        if (rubric !== null && labelled >= 10 && latestLabelSet(workspace, name, rubric) === null) {
          waiting.push({
            kind: 'freeze',
            text: `${labelled} samples of ${name} are labelled: freeze a label set`,
            href: `#/agreement${place}`,
          });
        }
      }
      for (const { ref, calibration } of judges) {
        if (calibration.status === 'refused')
          waiting.push({
            kind: 'calibrate',
            text: `the calibration of ${ref} no longer holds: ${calibration.faults[0] ?? ''}`,
            href: '#/agreement',
          });
        else if (calibration.status === 'valid' && (calibration.expires ?? '') < soon)
          waiting.push({
            kind: 'renew',
            text: `the calibration of ${ref} ends on ${calibration.expires ?? ''}`,
            href: '#/agreement',
          });
      }
      for (const problem of problems) waiting.push({ kind: 'mend', text: problem.message, href: '#/judges' });
      return c.json(
        {
          workspace: workspace.config.name,
          counts: {
            datasets: datasets.length,
            samples: datasets.reduce((sum, one) => sum + one.samples, 0),
            labelled: datasets.reduce((sum, one) => sum + one.labelled, 0),
            rubrics: listVersions(workspace, 'rubrics').length,
            judges: judges.length,
            calibrated: judges.filter((one) => one.calibration.status === 'valid').length,
          },
          waiting,
          problems,
        },
        200,
      );
    },
  );
}
