import { Problem } from '../core/problem.ts';
import type { RunPlan } from '../core/run.ts';
import { runInBatches } from '../harness/batch/run-in-batches.ts';
import { requirePrice } from '../harness/judge/reserve.ts';
import { type RunOptions, runJudge } from '../harness/judge/run.ts';
import { openProvider } from '../harness/provider/open.ts';
import { sleep } from '../harness/provider/sleep.ts';
import { loadJudge } from '../harness/workspace/judges.ts';
import type { Workspace } from '../harness/workspace/workspace.ts';
import type { Store } from './db/store.ts';
import { baselineFit, fewShots, samplesOf } from './judge-inputs.ts';
import type { ActiveRun, Job, StartOptions, Stops } from './run-job.ts';
import { runPanel } from './run-panel.ts';
import { type PlanOptions, planRun } from './run-plan.ts';

export interface DeskOptions {
  workspace: Workspace;
  store: Store;
  env: Readonly<Record<string, string | undefined>>;
  now: () => Date;
  newId: () => string;
  random: () => number;
}

/** Starts, watches and stops runs of judges in this process. */
export class RunDesk {
  readonly #options: DeskOptions;
  readonly #active = new Map<string, ActiveRun>();

  constructor(options: DeskOptions) {
    this.#options = options;
  }

  active(id: string): ActiveRun | null {
    return this.#active.get(id) ?? null;
  }

  /** What starting a run would send, take and cost. @throws Problem as starting it would, but for a missing key. */
  plan(options: PlanOptions): Promise<RunPlan> {
    return planRun(this.#options, options);
  }

  /**
   * Starts a judge over a dataset, or goes on with its last run over the same samples where that ended early; answered
   * calls are skipped. A panel runs its members one after another, each as a run of its own.
   * @throws Problem where the judge, the dataset, the key, a baseline's label set or a price that a budget needs is missing,
   * or the same run goes on.
   */
  start(options: StartOptions): Promise<ActiveRun> {
    return this.#start(options, null);
  }

  /** @param within the stops of the panel that a member runs for. */
  async #start(options: StartOptions, within: Stops | null): Promise<ActiveRun> {
    const { workspace, store, newId } = this.#options;
    const dataset = store.samples.dataset(options.dataset);
    const loaded = loadJudge(
      workspace,
      options.judge,
      (id) => store.samples.find(id)?.sample.content_hash ?? null,
    );
    for (const run of this.#active.values()) {
      if (run.judge === options.judge && run.dataset === options.dataset) {
        throw new Problem(
          'already_running',
          `${options.judge} is running over ${options.dataset} already (${run.id})`,
          {
            remedy: 'Wait for that run, or stop it.',
            status: 409,
          },
        );
      }
    }
    const limit = options.limit ?? null;
    const left = store.batches.left({ ...options, judge_hash: loaded.hash });
    const unfinished = store.runs.unfinished({ ...options, judge_hash: loaded.hash, limit });
    if (left !== null && (options.batch === undefined || left.run !== unfinished?.id))
      throw batchesLeft(options, left.limit);
    const [draining, cutting] = [new AbortController(), new AbortController()];
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const id = unfinished?.id ?? newId();
    const work = await this.#prepare({
      id,
      loaded,
      dataset: options.dataset,
      samples: dataset.id,
      total: Math.min(options.limit ?? dataset.samples, dataset.samples),
      limit,
      budget_usd: options.budget_usd ?? unfinished?.budget_usd ?? workspace.config.budgets.run_usd ?? null,
      concurrency: options.concurrency ?? workspace.config.defaults.concurrency,
      on_unknown: options.on_unknown,
      batch: options.batch,
      signal: anyOf(draining.signal, within?.signal),
      cutoff: anyOf(cutting.signal, within?.cutoff),
      onEvent: (event) => {
        if (event.type === 'planned') begin();
        else if (event.type !== 'batch') run.tally = event;
        options.onEvent?.(event);
      },
    });
    const run: ActiveRun = {
      id,
      judge: options.judge,
      dataset: options.dataset,
      tally: null,
      ended: Promise.resolve().then(work.run),
      stop: () => {
        if (draining.signal.aborted) cutting.abort();
        draining.abort();
      },
    };
    this.#active.set(id, run);
    const forget = () => {
      this.#active.delete(id);
      return work.close();
    };
    run.ended.then(forget, forget);
    await Promise.race([begun, run.ended]); // from here on the run is in the store, or its Problem is thrown
    return run;
  }

  /** Gets everything ready that a run needs, so that what is missing is said before it begins. */
  async #prepare(job: Job) {
    const { loaded, samples, total } = job;
    const { workspace, store, env, now, random } = this.#options;
    const shared = { ...job, now: () => now().getTime() };
    if (loaded.judge.vote !== undefined) {
      const panel = { ...shared, store, vote: loaded.judge.vote };
      const simulated = loaded.simulated || env.TOUCHSTONE_SIMULATED === '1';
      const startMember = (options: StartOptions) => this.#start(options, job);
      return { run: () => runPanel({ ...panel, simulated, startMember }), close: () => {} };
    }
    const { config, root } = workspace;
    const fit = baselineFit(this.#options, loaded, job.dataset);
    if (job.budget_usd !== null || config.budgets.day_usd !== undefined)
      requirePrice(loaded.judge, config.prices);
    const provider = await openProvider(loaded.judge, {
      config,
      root,
      env,
      connections: job.concurrency,
      deadlineMs: config.defaults.deadline_seconds * 1000,
      now: shared.now,
    });
    const { batch } = job;
    const run = () => {
      const options: RunOptions = {
        ...shared,
        resolved: loaded,
        fit,
        examples: fewShots(store, loaded),
        samples: samplesOf(store, samples, total),
        ledger: store.runs,
        provider,
        config,
        onUnknown: job.on_unknown ?? 'resend',
        random,
        sleep,
      };
      if (batch === undefined) return runJudge(options);
      const sampleOf = (sample: string) => store.samples.find(sample, samples)?.sample ?? null;
      return runInBatches(options, { ...BATCHES, ...batch, ledger: store.batches, sampleOf });
    };
    return { run, close: () => provider?.close() };
  }

  /** Stops every run and waits until each has ended. */
  async stopAll(): Promise<void> {
    const runs = [...this.#active.values()];
    for (const run of runs) run.stop();
    await Promise.allSettled(runs.map((run) => run.ended));
  }
}

/** Full batches, a look at least every two minutes, a lost batch sought for a minute. */
const BATCHES = { most: 50_000, pollMs: 120_000, searchMs: 60_000, giveUp: false };

function batchesLeft({ judge, dataset }: StartOptions, limit: number | null): Problem {
  const scope = limit === null ? '' : ` --limit ${limit}`;
  return new Problem(
    'batches_left',
    `${judge} has a batch over ${dataset} at its provider, not yet taken in`,
    {
      remedy: `Take it in first, so that nothing is paid twice: touchstone judge run ${judge} --dataset ${dataset}${scope} --batch`,
      status: 409,
    },
  );
}

function anyOf(own: AbortSignal, outer: AbortSignal | undefined): AbortSignal {
  return outer === undefined ? own : AbortSignal.any([own, outer]);
}
