import { createRoute, z } from '@hono/zod-openapi';
import { AgreementReport } from '../../core/agreement.ts';
import { Drawn, LabelSetHeader } from '../../core/label-set.ts';
import { Problem } from '../../core/problem.ts';
import { Slug, VersionRef } from '../../core/rubric.ts';
import { JudgeName } from '../../core/verdict.ts';
import { listLabelSets, loadLabelSet } from '../../harness/workspace/label-sets.ts';
import { type AgreementQuery, agreement } from '../agreement.ts';
import { freezeLabelSet } from '../freeze.ts';
import type { Asker } from '../guard.ts';
import type { Services } from '../services.ts';
import { witnessReports } from '../witness.ts';
import { answers, routes, takes } from './route.ts';

const Subject = z.strictObject({
  dataset: Slug,
  rubric: VersionRef,
  criterion: Slug,
  judge: JudgeName,
  label_set: VersionRef.optional(),
});

const LabelSetView = z.strictObject({ header: LabelSetHeader, looks_at_test: z.number().int() });

/** Agreement of judges with people, and the frozen label sets that it is measured on. */
export function agreementRoutes(services: Services) {
  const { workspace, store } = services;
  const reportOf = (asker: Asker, query: AgreementQuery): AgreementReport => {
    const [report] = agreement(services, query);
    if (report === undefined) throw new Error('one judge was asked about and none was reported');
    witnessReports(store, asker, [report], services.now().toISOString());
    return report;
  };
  return routes()
    .openapi(
      createRoute({
        method: 'get',
        path: '/agreement',
        summary: 'Agreement on dev; on all labels where nothing is frozen yet',
        request: { query: Subject },
        responses: answers(AgreementReport),
      }),
      (c) => {
        const { label_set, judge, ...subject } = c.req.valid('query');
        return c.json(
          reportOf(c.get('asker'), {
            ...subject,
            judges: [judge],
            labelSet: label_set ?? null,
            split: 'dev',
            where: {},
            look: null,
          }),
          200,
        );
      },
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/agreement/look',
        summary: 'A look at the sealed test split: recorded, counted, shown',
        request: { body: takes(Subject.extend({ reason: z.string().trim().min(3).max(500) })) },
        responses: answers(AgreementReport),
      }),
      (c) => {
        const { label_set, reason, judge, ...subject } = c.req.valid('json');
        const by = c.get('asker').session.annotator;
        if (by === null)
          throw new Problem('no_annotator', 'a look is recorded with your name', {
            remedy: 'Give your name first.',
            status: 409,
          });
        return c.json(
          reportOf(c.get('asker'), {
            ...subject,
            judges: [judge],
            labelSet: label_set ?? null,
            split: 'test',
            where: {},
            look: { by, reason },
          }),
          200,
        );
      },
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/label-sets',
        summary: 'Every frozen label set',
        responses: answers(z.strictObject({ label_sets: z.array(LabelSetView) })),
      }),
      (c) => {
        const label_sets = listLabelSets(workspace).map((file) => {
          const { header } = loadLabelSet(workspace, file.ref);
          return { header, looks_at_test: store.looks.count(header.hash) };
        });
        return c.json({ label_sets }, 200);
      },
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/label-sets',
        summary: 'Freezes what is labelled into the next version of a label set, split by group',
        request: {
          body: takes(
            z.strictObject({
              dataset: Slug,
              rubric: VersionRef,
              seed: z.number().int().default(7),
              dev_share: z.number().min(0.1).max(0.9).default(0.4),
              drawn: Drawn.default('unknown'),
            }),
          ),
        },
        responses: answers(LabelSetView.extend({ path: z.string() })),
      }),
      (c) => {
        const { dataset, rubric, seed, dev_share, drawn } = c.req.valid('json');
        const { header, path } = freezeLabelSet(services, {
          dataset,
          rubric,
          seed,
          devShare: dev_share,
          drawn,
        });
        return c.json({ header, path, looks_at_test: store.looks.count(header.hash) }, 200);
      },
    );
}
