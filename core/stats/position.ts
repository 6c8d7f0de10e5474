import { binomialTest } from './binomial-test.ts';
import { chiSquareUpper } from './distribution.ts';
import { finite } from './estimate.ts';
import { requireCount, requireThat } from './input.ts';
import { bonettPrice } from './mcnemar.ts';
import { type Stat, undefinedStat } from './stat.ts';
import { wilson } from './wilson.ts';

/** Pairs judged in both orders, by what the two verdicts said. Unreadable verdicts are left out and reported. */
export interface OrderCounts {
  /** Both verdicts chose A, or B; a tie in both counts in either. */
  consistentA: number;
  consistentB: number;
  /** The first slot won both times, or the second. */
  firstBoth: number;
  secondBoth: number;
  /** One verdict was a tie. */
  mixedWithTie: number;
}

export interface PositionBias {
  n: number;
  positionConsistency: Stat;
  conflictRate: Stat;
  /** Of pairs where a slot won twice: how often the first. */
  firstShare: Stat;
  /** (firstBoth − secondBoth) / n: the bias itself, which noise alone does not move. */
  netShift: Stat;
  /** Exact two-sided p of firstShare = ½. */
  p: number;
}

/**
 * Does a judge favour a slot? From pairs judged in both orders. conflictRate is bias and noise together; compare it
 * with the repeat inconsistency of the same order (orderConflict). EMPTY without pairs.
 * Source: Zheng et al. 2023; Bonett & Price 2012 for netShift's interval.
 */
export function positionBias(counts: OrderCounts, level = 0.95): PositionBias {
  for (const [name, count] of Object.entries(counts)) requireCount(count, name);
  const { consistentA, consistentB, firstBoth, secondBoth, mixedWithTie } = counts;
  const consistent = consistentA + consistentB;
  const n = consistent + firstBoth + secondBoth + mixedWithTie;
  return {
    n,
    positionConsistency: wilson(consistent, n, level),
    conflictRate: wilson(n - consistent, n, level),
    firstShare: wilson(firstBoth, firstBoth + secondBoth, level),
    netShift: bonettPrice(secondBoth, firstBoth, n, level),
    p: binomialTest(firstBoth, firstBoth + secondBoth),
  };
}

/**
 * (recency − primacy) / n, where first-then-tie counts as primacy and second-then-tie as recency; negative favours the
 * first slot. Source: Shi et al. 2024, whose two-step normalisation reduces to this.
 */
export function preferenceFairness(counts: { primacy: number; recency: number; consistent: number }): Stat {
  for (const [name, count] of Object.entries(counts)) requireCount(count, name);
  const { primacy, recency, consistent } = counts;
  return bonettPrice(primacy, recency, primacy + recency + consistent);
}

export interface PositionChiSquare {
  chi2: number | null;
  df: number;
  p: number | null;
  /** Cramér's √(χ² / (n(k − 1))), the effect. */
  effect: number | null;
}

/** Are wins spread evenly over k ≥ 2 slots? Chi-square of wins by slot; null without wins. */
export function positionChiSquare(wins: readonly number[]): PositionChiSquare {
  requireThat(wins.length >= 2, 'at least two slots are needed');
  for (const count of wins) requireCount(count, 'wins');
  const n = wins.reduce((total, count) => total + count, 0);
  const df = wins.length - 1;
  if (n === 0) return { chi2: null, df, p: null, effect: null };
  const expected = n / wins.length;
  const chi2 = wins.reduce((total, count) => total + (count - expected) ** 2 / expected, 0);
  return { chi2, df, p: finite(chiSquareUpper(chi2, df)), effect: Math.sqrt(chi2 / (n * df)) };
}

/**
 * Conflict that the order explains: conflict rate of both orders less the inconsistency of the same order judged twice
 * on the same pairs. `conflictOnly` pairs conflict across orders but repeat consistently, `repeatOnly` the reverse.
 */
export function orderConflict(
  counts: { conflictOnly: number; repeatOnly: number; n: number },
  level = 0.95,
): Stat {
  if (counts.n === 0) return undefinedStat('EMPTY');
  return bonettPrice(counts.repeatOnly, counts.conflictOnly, counts.n, level);
}
