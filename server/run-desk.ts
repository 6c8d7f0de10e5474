import type { BaselineFit } from '../core/judge.ts';
import { Problem } from '../core/problem.ts';
import type { OnUnknown } from '../core/run.ts';
import type { BatchOptions } from '../harness/batch/desk.ts';
import { runInBatches } from '../harness/batch/run-in-batches.ts';
import { fitJudge } from '../harness/judge/baseline.ts';
import type { FewShot } from '../harness/judge/few-shot.ts';
import { requirePrice } from '../harness/judge/reserve.ts';
import { type RunEvent, type RunOptions, type RunTally, runJudge } from '../harness/judge/run.ts';
import { openProvider } from '../harness/provider/open.ts';
import { sleep } from '../harness/provider/sleep.ts';
import { type LoadedJudge, loadJudge } from '../harness/workspace/judges.ts';
import { latestLabelSet } from '../harness/workspace/label-sets.ts';
import type { Workspace } from '../harness/workspace/workspace.ts';
import type { Store } from './db/store.ts';

export interface StartOptions {
  judge: string;
  dataset: string;
  concurrency?: number | undefined;
  /** Only the first so many samples. */
  limit?: number | undefined;
  /** US dollars that the run may cost at most; default: what it had, else budgets.run_usd of touchstone.yaml. */
  budget_usd?: number | undefined;
  /** What becomes of calls that were sent and never heard of; default `resend`. */
  on_unknown?: OnUnknown | undefined;
  /** Works in batches, at the provider's lower price; absent = call by call. */
  batch?: Partial<Pick<BatchOptions, 'most' | 'pollMs' | 'searchMs' | 'giveUp'>> | undefined;
  onEvent?: (event: RunEvent) => void;
}

/** A run in this process. */
export interface ActiveRun {
  id: string;
  judge: string;
  dataset: string;
  tally: RunTally | null;
  /** Settles when the run has ended and its end is stored; rejects with the Problem that stopped it. */
  ended: Promise<RunTally>;
  /** First call: drains what is in flight. Second: gives up on it too. */
  stop: () => void;
}

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

  /**
   * Starts a judge over a dataset, or goes on with its last run over the same samples where that ended early; answered
   * calls are skipped.
   * @throws Problem where the judge, the dataset, the key, a baseline's label set or a price that a budget needs is missing,
   * or the same run goes on.
   */
  async start(options: StartOptions): Promise<ActiveRun> {
    const { workspace, store, env, now, newId, random } = this.#options;
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
    const fit = baselineFit(this.#options, loaded, options.dataset);
    const { concurrency: usual, deadline_seconds } = workspace.config.defaults;
    const concurrency = options.concurrency ?? usual;
    const limit = options.limit ?? null;
    const left = store.batches.left({ ...options, judge_hash: loaded.hash });
    const unfinished = store.runs.unfinished({ ...options, judge_hash: loaded.hash, limit });
    const { run_usd = null, day_usd = null } = workspace.config.budgets;
    if (left !== null && (options.batch === undefined || left.run !== unfinished?.id))
      throw batchesLeft(options, left.limit);
    const budget = options.budget_usd ?? unfinished?.budget_usd ?? run_usd;
    if (budget !== null || day_usd !== null) requirePrice(loaded.judge, workspace.config.prices);
    const provider = await openProvider(loaded.judge, {
      config: workspace.config,
      root: workspace.root,
      env,
      connections: concurrency,
      deadlineMs: deadline_seconds * 1000,
      now: () => now().getTime(),
    });
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const [draining, cutting] = [new AbortController(), new AbortController()];
    const id = unfinished?.id ?? newId();
    const total = Math.min(options.limit ?? dataset.samples, dataset.samples);
    const { batch } = options;
    const carryOut = (run: RunOptions) =>
      batch === undefined
        ? runJudge(run)
        : runInBatches(run, {
            ...BATCHES,
            ...batch,
            ledger: store.batches,
            sampleOf: (sample) => store.samples.find(sample, dataset.id)?.sample ?? null,
          });
    const run: ActiveRun = {
      id,
      judge: options.judge,
      dataset: options.dataset,
      tally: null,
      ended: Promise.resolve().then(() =>
        carryOut({
          id,
          dataset: options.dataset,
          resolved: loaded,
          fit,
          examples: fewShots(store, loaded),
          samples: samplesOf(store, dataset.id, total),
          total,
          ledger: store.runs,
          provider,
          config: workspace.config,
          limit,
          budget_usd: budget,
          onUnknown: options.on_unknown ?? 'resend',
          concurrency,
          now: () => now().getTime(),
          random,
          sleep,
          signal: draining.signal,
          cutoff: cutting.signal,
          onEvent: (event) => {
            if (event.type === 'planned') begin();
            else if (event.type !== 'batch') run.tally = event;
            options.onEvent?.(event);
          },
        }),
      ),
      stop: () => {
        if (draining.signal.aborted) cutting.abort();
        draining.abort();
      },
    };
    this.#active.set(id, run);
    const forget = () => {
      this.#active.delete(id);
      return provider?.close();
    };
    run.ended.then(forget, forget);
    await Promise.race([begun, run.ended]); // from here on the run is in the store, or its Problem is thrown
    return run;
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

/** What a baseline learns from the dev split of the latest label set; null for any other judge. */
export function baselineFit(
  { workspace, store }: Pick<DeskOptions, 'workspace' | 'store'>,
  loaded: LoadedJudge,
  dataset: string,
): BaselineFit | null {
  if (loaded.judge.provider !== 'baseline') return null;
  const set = latestLabelSet(workspace, store.samples.dataset(dataset).name, loaded.judge.rubric);
  if (set === null) {
    throw new Problem(
      'no_label_set',
      `${loaded.ref} is a baseline: it learns from the dev split, and ${dataset} has no frozen label set under ${loaded.judge.rubric}`,
      {
        remedy: 'Label some samples, then freeze them: the Agreement page, or touchstone freeze.',
        status: 409,
      },
    );
  }
  return fitJudge(loaded, set);
}

/** The few-shots of a judge, with the values that people's labels give them. */
export function fewShots(store: Store, { rubric, judge }: LoadedJudge): FewShot[] {
  const shots = new Map<string, FewShot>();
  for (const criterion of rubric.criteria.filter(({ id }) => judge.criteria.includes(id))) {
    for (const id of criterion.examples) {
      const found = store.samples.find(id);
      if (found === null) continue;
      const shot = shots.get(id) ?? { sample: found.sample, values: {} };
      const label = store.labels
        .standing(found.dataset, judge.rubric, { criterion: criterion.id })
        .find(({ seq }) => seq === found.seq);
      if (label?.label.what.act === 'label') shot.values[criterion.id] = label.label.what.value;
      shots.set(id, shot);
    }
  }
  return [...shots.values()];
}

function* samplesOf(store: Store, dataset: number, total: number) {
  let taken = 0;
  for (const { sample } of store.samples.all(dataset)) {
    if (taken++ >= total) return;
    yield sample;
  }
}
