import type { OnUnknown } from '../core/run.ts';
import type { BatchOptions } from '../harness/batch/desk.ts';
import type { RunEvent, RunTally } from '../harness/judge/run.ts';
import type { LoadedJudge } from '../harness/workspace/judges.ts';
import type { PlanOptions } from './run-plan.ts';

export interface StartOptions extends PlanOptions {
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

/** What stops a run: `signal` hears out what is in flight, `cutoff` gives up on it too. */
export interface Stops {
  signal: AbortSignal;
  cutoff: AbortSignal;
}

/** One run as it is to be done. */
export interface Job extends Stops, Pick<StartOptions, 'on_unknown' | 'batch'> {
  id: string;
  loaded: LoadedJudge;
  dataset: string;
  /** The dataset's row. */
  samples: number;
  /** How many samples the run comprises. */
  total: number;
  limit: number | null;
  budget_usd: number | null;
  concurrency: number;
  onEvent: (event: RunEvent) => void;
}
