import { createRoute, z } from '@hono/zod-openapi';
import { AttackFigures } from '../../core/attack.ts';
import { calibrationFaults } from '../../core/calibration.ts';
import { Judge, judgeFamily } from '../../core/judge.ts';
import { ProblemReport } from '../../core/problem.ts';
import { Rubric, Slug, VersionRef } from '../../core/rubric.ts';
import { loadCalibration } from '../../harness/workspace/calibrations.ts';
import { type LoadedJudge, loadJudge } from '../../harness/workspace/judges.ts';
import { listVersions } from '../../harness/workspace/versions.ts';
import type { Services } from '../services.ts';
import { answers, routes } from './route.ts';
import { readable } from './rubrics.ts';

export const JudgeView = z.strictObject({
  ref: VersionRef,
  file: z.string(),
  hash: z.string(),
  published: z.boolean(),
  simulated: z.boolean(),
  family: z.string(),
  judge: Judge,
  calibration: z.strictObject({
    status: z.enum(['none', 'valid', 'refused']),
    faults: z.array(z.string()),
    expires: z.string().nullable(),
  }),
  /** By criterion, what the attack pack came to; null = it was not run on this version. */
  attack_pack: z.record(Slug, AttackFigures).nullable(),
});
export type JudgeView = z.infer<typeof JudgeView>;

/** A judge with the parts of its hash: its file, its rubric, its prompt, its few-shots' content hashes by sample. */
const JudgeParts = JudgeView.extend({
  rubric: Rubric,
  prompt_text: z.string(),
  examples: z.record(z.string(), z.string()),
});

const ForeignView = z.strictObject({
  name: z.string(),
  dataset: Slug,
  verdicts: z.number().int(),
  criteria: z.array(z.string()),
});

/** Judge versions of the workspace, and foreign judges whose verdicts were imported. */
export function judgeRoutes(services: Services) {
  const { workspace, store } = services;
  return routes()
    .openapi(
      createRoute({
        method: 'get',
        path: '/judges',
        summary: 'Every judge version, and the foreign judges of each dataset',
        responses: answers(
          z.strictObject({
            judges: z.array(JudgeView),
            foreign: z.array(ForeignView),
            problems: z.array(ProblemReport),
          }),
        ),
      }),
      (c) => {
        const { views, problems } = readable(listVersions(workspace, 'judges'), (file) =>
          judgeView(services, file.ref),
        );
        const foreign = store.samples.datasets().flatMap((dataset) =>
          store.verdicts
            .judgesOf(dataset.id)
            .filter((row) => row.hash === 'foreign')
            .map(({ name, verdicts, criteria }) => ({ name, dataset: dataset.name, verdicts, criteria })),
        );
        return c.json({ judges: views, foreign, problems }, 200);
      },
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/judges/{ref}',
        summary: 'One judge version with all that its hash is made of',
        request: { params: z.strictObject({ ref: VersionRef }) },
        responses: answers(JudgeParts),
      }),
      (c) => {
        const loaded = load(services, c.req.valid('param').ref);
        const { rubric, promptText: prompt_text, examples } = loaded;
        return c.json({ ...viewOf(services, loaded), rubric, prompt_text, examples }, 200);
      },
    );
}

export function judgeView(services: Services, ref: string): JudgeView {
  return viewOf(services, load(services, ref));
}

function load({ workspace, store }: Services, ref: string): LoadedJudge {
  return loadJudge(workspace, ref, (id) => store.samples.find(id)?.sample.content_hash ?? null);
}

function viewOf({ workspace, store, now }: Services, loaded: LoadedJudge): JudgeView {
  const calibration = loadCalibration(workspace, loaded.ref);
  const today = now().toISOString().slice(0, 10);
  const faults = calibration === null ? [] : calibrationFaults(calibration, loaded.hash, today, true);
  return {
    ref: loaded.ref,
    file: loaded.file,
    hash: loaded.hash,
    published: loaded.published,
    simulated: loaded.simulated,
    family: judgeFamily(loaded.judge),
    judge: loaded.judge,
    calibration: {
      status: calibration === null ? 'none' : faults.length === 0 ? 'valid' : 'refused',
      faults,
      expires: calibration?.expires ?? null,
    },
    attack_pack: store.attacks.reportOn(loaded.hash)?.criteria ?? null,
  };
}
