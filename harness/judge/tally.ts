import { type CallReceipt, type Outcome, type UnscoredCounts, UnscoredReason } from '../../core/verdict.ts';

/** Where a run stands. `done` and `total` count calls; `scored` and `unscored` count this run's verdicts. */
export interface RunTally {
  done: number;
  total: number;
  /** Calls that were answered before this run and are not sent again. */
  reused: number;
  /** Calls that an earlier run had sent without ever hearing of them. */
  resent: number;
  /** Calls that an earlier run had sent without ever hearing of them, and that this one leaves alone. */
  held: number;
  scored: number;
  unscored: UnscoredCounts;
  /** Quotes that stand elsewhere than the judge said; they count, at the places where they stand. */
  misplaced: number;
  /** Sum of the known costs, US dollars; `unpriced` attempts are not in it. */
  cost_usd: number;
  unpriced: number;
  /** Calls a minute in this run so far; null before the first. */
  per_minute: number | null;
}

/** Counts a run as it goes. */
export class Tally {
  readonly #total: number;
  readonly #started: number;
  readonly #now: () => number;
  #called = 0;
  #reused = 0;
  #resent = 0;
  #held = 0;
  #scored = 0;
  #misplaced = 0;
  readonly #unscored: UnscoredCounts = {};
  #cost = 0;
  #unpriced = 0;

  constructor(total: number, now: () => number) {
    this.#total = total;
    this.#now = now;
    this.#started = now();
  }

  reuse(): void {
    this.#reused++;
  }

  resend(): void {
    this.#resent++;
  }

  hold(outcomes: readonly Outcome[]): void {
    this.#held++;
    this.#count(outcomes);
  }

  /** One attempt, whatever came of it. */
  pay({ cost_usd }: CallReceipt): void {
    if (cost_usd === null) this.#unpriced++;
    else this.#cost += cost_usd;
  }

  /** One call's verdicts. */
  judge(outcomes: readonly Outcome[]): void {
    this.#called++;
    this.#count(outcomes);
  }

  #count(outcomes: readonly Outcome[]): void {
    for (const { outcome, quotes } of outcomes) {
      this.#misplaced += quotes.filter(({ misplaced }) => misplaced === true).length;
      if (outcome === 'scored') this.#scored++;
      else this.#unscored[outcome] = (this.#unscored[outcome] ?? 0) + 1;
    }
  }

  read(): RunTally {
    const minutes = (this.#now() - this.#started) / 60_000;
    return {
      done: this.#called + this.#reused + this.#held,
      total: this.#total,
      reused: this.#reused,
      resent: this.#resent,
      held: this.#held,
      scored: this.#scored,
      unscored: { ...this.#unscored },
      misplaced: this.#misplaced,
      cost_usd: this.#cost,
      unpriced: this.#unpriced,
      per_minute: this.#called > 0 && minutes > 0 ? this.#called / minutes : null,
    };
  }
}

/** The tallies of two runs, one after the other, as one; the rate is the later one's. */
export function sumTallies(one: RunTally, other: RunTally): RunTally {
  const unscored: UnscoredCounts = {};
  for (const reason of UnscoredReason.options) {
    const n = (one.unscored[reason] ?? 0) + (other.unscored[reason] ?? 0);
    if (n > 0) unscored[reason] = n;
  }
  return {
    done: one.done + other.done,
    total: one.total + other.total,
    reused: one.reused + other.reused,
    resent: one.resent + other.resent,
    held: one.held + other.held,
    scored: one.scored + other.scored,
    unscored,
    misplaced: one.misplaced + other.misplaced,
    cost_usd: one.cost_usd + other.cost_usd,
    unpriced: one.unpriced + other.unpriced,
    per_minute: other.per_minute,
  };
}
