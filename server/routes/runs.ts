import { createRoute, z } from '@hono/zod-openapi';
import { Problem } from '../../core/problem.ts';
import { Slug, VersionRef } from '../../core/rubric.ts';
import { OnUnknown, RunPlan, RunReport, RunState } from '../../core/run.ts';
import { UnscoredCounts } from '../../core/verdict.ts';
import type { RunRow } from '../db/runs.ts';
import type { Services } from '../services.ts';
import { answers, routes, takes } from './route.ts';

const RunView = z.strictObject({
  id: z.string(),
  judge: z.string(),
  dataset: z.string(),
  simulated: z.boolean(),
  state: RunState,
  why: z.string(),
  planned: z.number().int(),
  sent: z.number().int(),
  answered: z.number().int(),
  cost_usd: z.number().nullable(),
  /** The run comprises only the first so many samples; null = all. */
  limit: z.number().int().nullable(),
  budget_usd: z.number().nullable(),
  started_at: z.string(),
  ended_at: z.string().nullable(),
  /** Only of a run that goes on in this process. */
  live: z
    .strictObject({
      done: z.number().int(),
      total: z.number().int(),
      scored: z.number().int(),
      unscored: UnscoredCounts,
      per_minute: z.number().nullable(),
    })
    .nullable(),
});

/** One run, whole; it is counted once it has ended, until then `live` says how far it is. */
const RunDetail = RunView.extend({ report: RunReport.nullable() });

const Wanted = z.strictObject({
  judge: VersionRef,
  dataset: Slug,
  limit: z.number().int().positive().optional(),
  concurrency: z.number().int().min(1).max(512).optional(),
  budget_usd: z.number().positive().optional(),
  on_unknown: OnUnknown.optional(),
});

const named = z.strictObject({ run: z.string().max(100) });

/** Runs of judges over datasets: start, watch, stop. */
export function runRoutes({ store, runs }: Services) {
  const view = (row: RunRow): z.infer<typeof RunView> => {
    const tally = runs.active(row.id)?.tally ?? null;
    const { judge_hash: _, concurrency: __, ...rest } = row;
    const live =
      tally === null
        ? null
        : {
            done: tally.done,
            total: tally.total,
            scored: tally.scored,
            unscored: tally.unscored,
            per_minute: tally.per_minute,
          };
    return { ...rest, live };
  };
  const find = (id: string) => {
    const row = store.runs.get(id);
    if (row === null)
      throw new Problem('no_run', `there is no run ${id}`, { remedy: 'See the list of runs.', status: 404 });
    return row;
  };
  return routes()
    .openapi(
      createRoute({
        method: 'get',
        path: '/runs',
        summary: 'Runs, latest first',
        responses: answers(z.strictObject({ runs: z.array(RunView) })),
      }),
      (c) => c.json({ runs: store.runs.list().map(view) }, 200),
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/runs/{run}',
        summary: 'One run',
        request: { params: named },
        responses: answers(RunDetail),
      }),
      (c) => {
        const row = view(find(c.req.valid('param').run));
        return c.json({ ...row, report: row.live === null ? store.runs.report(row.id) : null }, 200);
      },
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/runs/plan',
        summary: 'What a run would send, take and cost; nothing is sent',
        request: { body: takes(Wanted.pick({ judge: true, dataset: true, limit: true, concurrency: true })) },
        responses: answers(RunPlan),
      }),
      async (c) => c.json(await runs.plan(c.req.valid('json')), 200),
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/runs',
        summary: 'Starts a judge over a dataset; answered calls are not sent again',
        request: { body: takes(Wanted) },
        responses: answers(z.strictObject({ run: z.string() })),
      }),
      async (c) => {
        const run = await runs.start(c.req.valid('json'));
        run.ended.catch(() => {}); // its end, good or bad, is stored with the run and shown from there
        return c.json({ run: run.id }, 200);
      },
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/runs/{run}/stop',
        summary: 'Stops a run: what is in flight is heard out',
        request: { params: named, body: takes(z.strictObject({})) },
        responses: answers(z.strictObject({ stopping: z.boolean() })),
      }),
      (c) => {
        const run = runs.active(find(c.req.valid('param').run).id);
        run?.stop();
        return c.json({ stopping: run !== null }, 200);
      },
    );
}
