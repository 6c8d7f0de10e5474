import type { UnscoredCounts } from '../../core/agreement.ts';
import type { BaselineFit, ResolvedJudge } from '../../core/judge.ts';
import { Problem } from '../../core/problem.ts';
import type { Sample } from '../../core/sample.ts';
import type { Provider } from '../provider/provider.ts';
import type { Sleep } from '../provider/sleep.ts';
import type { FewShot } from './few-shot.ts';
import type { Ledger, RunState } from './ledger.ts';

/** Where a run stands. `done` and `total` count calls; `scored` and `unscored` count this run's verdicts. */
export interface RunTally {
  done: number;
  total: number;
  /** Calls that were answered before this run and are not sent again. */
  reused: number;
  /** Calls that an earlier run had sent without ever hearing of them. */
  resent: number;
  scored: number;
  unscored: UnscoredCounts;
  /** Sum of the known costs, US dollars; `unpriced` calls are not in it. */
  cost_usd: number;
  unpriced: number;
  /** Calls a minute in this run so far; null before the first. */
  per_minute: number | null;
}

export type RunEvent =
  | { type: 'planned'; run: string; total: number }
  | ({ type: 'progress' } & RunTally)
  | ({ type: 'finished'; state: Exclude<RunState, 'running'>; why: string } & RunTally);

export interface RunOptions {
  /** The run's own id, new for each run. */
  id: string;
  dataset: string;
  resolved: ResolvedJudge;
  /** What a baseline judge learned from dev; null for any other. */
  fit: BaselineFit | null;
  examples: readonly FewShot[];
  samples: Iterable<Sample> | AsyncIterable<Sample>;
  /** How many samples there are. */
  total: number;
  ledger: Ledger;
  /** Null for a baseline judge. */
  provider: Provider | null;
  concurrency: number;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Uniform in [0, 1). */
  random: () => number;
  sleep: Sleep;
  /** Stops the run: nothing new is sent, calls in flight are heard out. */
  signal: AbortSignal;
  /** Gives up on calls in flight too: they end as `unknown`. */
  cutoff?: AbortSignal;
  onEvent: (event: RunEvent) => void;
}

export interface RunSummary extends RunTally {
  state: 'done' | 'stopped';
}

/**
 * Runs a judge over samples and writes each verdict to the ledger as it arrives. A run that was stopped or killed is
 * resumed by running again: answered calls are skipped.
 * @throws Problem where the run can't go on (key refused, model gone, quota used up, another model answered); what was
 * answered until then is stored.
 */
export async function runJudge(options: RunOptions): Promise<RunSummary> {
  throw new Problem('run_unavailable', `judge ${options.resolved.judge.judge} can't be run yet`, {
    remedy: 'Wait for the judge runner.',
  });
}
