import type { RunState } from '../../core/run.ts';
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

/** One request of a call, before it is sent. */
export interface Attempt {
  /** 1 for the question itself, 2 for the first time that it is asked again for better quotes. */
  turn: number;
  max_output_tokens: number;
  /** The most that it can cost, US dollars; null where the price is not known. */
  ceiling_usd: number | null;
  /** The batch that it goes out with; absent = it is sent alone. */
  batch?: number;
}

/** A budget that has no room for an attempt. */
export interface OverBudget {
  budget: 'run' | 'day';
  limit_usd: number;
  /** Spent, and reserved for what is in flight or was never heard of. */
  committed_usd: number;
  /** Attempts of this process that hold a part of it and will give some back. */
  in_flight: number;
}

/** An intent on disk, or why there is none. */
export type Intent = { id: number } | { over: OverBudget } | { unpriced: OverBudget['budget'] };

/** The judge that a run writes for. */
export interface JudgeMark {
  judge: string;
  judge_hash: string;
  simulated: boolean;
}

export interface RunStart extends JudgeMark {
  id: string;
  dataset: string;
  /** Calls that the run comprises, answered ones included. */
  planned: number;
  concurrency: number;
  /** The run comprises only the first so many samples; null = all. */
  limit: number | null;
  /** US dollars that the run may cost at most, what it did before it was resumed included; null = no limit. */
  budget_usd: number | null;
  at: string;
}

/**
 * Where a run writes what it intends and what came of it. The store implements it; every promise resolves only when
 * the row is on disk, so that a kill at any point loses no answer and repeats only calls that were in flight.
 */
export interface Ledger {
  /** Starts a run, or goes on with the one of this id. */
  startRun(run: RunStart): Promise<void>;
  endRun(id: string, state: Exclude<RunState, 'running'>, why: string, at: string): Promise<void>;
  /**
   * Which of these keys already have a final answer, and the attempt that got it, under whatever run and judge; of the
   * simulator only where the judge's own verdicts are simulated too.
   */
  answered(keys: readonly string[], judge: JudgeMark): Map<string, number>;
  /** Which of these keys were sent and never heard of: no result was recorded, or one that tells of a lost answer. */
  unheard(keys: readonly string[]): Set<string>;
  /**
   * Writes the intent before the call is sent and, with it, reserves what it can cost at most; or writes nothing, where a
   * budget has no room for it. A reservation ends with the result; what is never heard of keeps it.
   */
  intend(run: string, call: PlannedCall, attempt: Attempt, at: string): Promise<Intent>;
  /**
   * Lets answers that came under another judge version, or for the same sample in another dataset, stand for this run's
   * too. Those that stand already are left alone.
   */
  adopt(
    run: string,
    answers: readonly { call: PlannedCall; by: number }[],
    rubricHash: string,
  ): Promise<void>;
  /** Writes down that a call's attempts without a result will have none: they are lost, and it is unknown. */
  giveUp(run: string, call: PlannedCall, verdicts: readonly Verdict[], at: string): Promise<void>;
  /** Resolves when the next result is on disk. */
  settled(): Promise<void>;
  /**
   * Writes what came of a call. `final` = the key is answered and is not sent again;
   * not final (provider errors, stops) = the verdicts stand as unscored until a later attempt answers.
   */
  record(intent: number, receipt: CallReceipt, verdicts: readonly Verdict[], final: boolean): Promise<void>;
}
