import type { RunPlan } from '../core/run.ts';
import { estimateRun } from '../harness/judge/estimate.ts';
import { planJudge } from '../harness/judge/plan.ts';
import { isSimulatedHost } from '../harness/provider/open.ts';
import { loadJudge } from '../harness/workspace/judges.ts';
import type { Workspace } from '../harness/workspace/workspace.ts';
import type { Store } from './db/store.ts';
import { baselineFit, fewShots, samplesOf } from './judge-inputs.ts';

/** Which run is meant. */
export interface PlanOptions {
  judge: string;
  dataset: string;
  concurrency?: number | undefined;
  /** Only the first so many samples. */
  limit?: number | undefined;
}

interface Desk {
  workspace: Workspace;
  store: Store;
  env: Readonly<Record<string, string | undefined>>;
}

/**
 * Says what a run would do: calls, tokens, cost, time; of a panel what its members' runs would do, one after another.
 * Nothing is sent or written, and no key is needed.
 * @throws Problem as starting the run would.
 */
export async function planRun(desk: Desk, options: PlanOptions): Promise<RunPlan> {
  const { workspace, store, env } = desk;
  const dataset = store.samples.dataset(options.dataset);
  const loaded = loadJudge(
    workspace,
    options.judge,
    (id) => store.samples.find(id)?.sample.content_hash ?? null,
  );
  if (loaded.members.length > 0) {
    const plans: RunPlan[] = [];
    for (const { ref } of loaded.members) plans.push(await planRun(desk, { ...options, judge: ref }));
    return addedUp(plans);
  }
  const examples = fewShots(store, loaded);
  return estimateRun({
    plan: planJudge(loaded, baselineFit(desk, loaded, options.dataset), examples),
    samples: samplesOf(store, dataset.id, Math.min(options.limit ?? dataset.samples, dataset.samples)),
    ledger: store.runs,
    simulated: loaded.simulated || isSimulatedHost(loaded.judge, env),
    examples,
    config: workspace.config,
    concurrency: options.concurrency ?? workspace.config.defaults.concurrency,
    experience: store.runs.experience(loaded.ref, loaded.hash),
  });
}

function addedUp(plans: readonly RunPlan[]): RunPlan {
  const sum = (of: (plan: RunPlan) => number) => plans.reduce((total, plan) => total + of(plan), 0);
  const known = (of: (plan: RunPlan) => number | null) =>
    plans.reduce<number | null>((total, plan) => {
      const part = of(plan);
      return total === null || part === null ? null : total + part;
    }, 0);
  return {
    samples: plans[0]?.samples ?? 0,
    calls: {
      planned: sum(({ calls }) => calls.planned),
      answered: sum(({ calls }) => calls.answered),
      unheard: sum(({ calls }) => calls.unheard),
      trivial: sum(({ calls }) => calls.trivial),
      to_send: sum(({ calls }) => calls.to_send),
    },
    tokens: { input: sum(({ tokens }) => tokens.input), output: known(({ tokens }) => tokens.output) },
    cost: { about_usd: known(({ cost }) => cost.about_usd), most_usd: known(({ cost }) => cost.most_usd) },
    seconds: known(({ seconds }) => seconds),
    basis: [
      "The members' runs added up, one after another.",
      ...new Set(plans.map(({ basis }) => basis)),
    ].join(' '),
  };
}
