import type { CallReceipt, PairOrder, Verdict } from '../../core/verdict.ts';

/** One call that a run plans: a sample, the criteria asked of it, the order of a pair, the repeat. */
export interface PlannedCall {
  /** SHA-256 over everything that the request depends on, order and repeat included: the cache key. */
  key: string;
  sample: string;
  criteria: readonly string[];
  order: PairOrder | null;
  repeat: number;
}

export interface RunStart {
  id: string;
  judge: string;
  judge_hash: string;
  dataset: string;
  /** Calls that the run comprises, answered ones included. */
  planned: number;
  concurrency: number;
  simulated: boolean;
  at: string;
}

/** How a run ended, or that it goes on. A `running` row whose process is gone was killed and can be resumed. */
export type RunState = 'running' | 'done' | 'stopped' | 'failed';

/**
 * Where a run writes what it intends and what came of it. The store implements it; every promise resolves only when
 * the row is on disk, so that a kill at any point loses no answer and repeats only calls that were in flight.
 */
export interface Ledger {
  startRun(run: RunStart): Promise<void>;
  endRun(id: string, state: Exclude<RunState, 'running'>, why: string, at: string): Promise<void>;
  /** Which of these keys already have a final answer, under whatever run. */
  answered(keys: readonly string[]): Set<string>;
  /** How many intents of these keys have no recorded result: they were sent and never heard of. */
  unheard(keys: readonly string[]): Set<string>;
  /** Writes the intent before the call is sent. @returns the intent's id. */
  intend(run: string, call: PlannedCall, at: string): Promise<number>;
  /**
   * Writes what came of a call. `final` = the key is answered and is not sent again;
   * not final (provider errors, stops) = the verdicts stand as unscored until a later attempt answers.
   */
  record(intent: number, receipt: CallReceipt, verdicts: readonly Verdict[], final: boolean): Promise<void>;
}
