import { requireReal, requireThat } from './input.ts';
import { at } from './table.ts';

/**
 * Exact one-sided p of Wilcoxon's signed-rank test that values lie below 0: the share of sign patterns with a rank sum
 * of positives no larger than observed. Zeros are left out, ties take mid-ranks; 1 without a value. At most 200 values.
 * Source: Wilcoxon 1945; Pratt & Gibbons 1981.
 */
export function wilcoxonLess(values: readonly number[]): number {
  requireReal(values, 'values');
  requireThat(values.length <= 200, 'the exact signed-rank test takes at most 200 values');
  const signed = values.filter((value) => value !== 0);
  const doubled = midRanks(signed.map(Math.abs)).map((rank) => Math.round(2 * rank));
  const observed = doubled.reduce((total, rank, index) => total + (at(signed, index) > 0 ? rank : 0), 0);
  let ways = [1];
  for (const rank of doubled) {
    const next = Array.from({ length: ways.length + rank }, () => 0);
    ways.forEach((share, sum) => {
      next[sum] = at(next, sum) + share / 2;
      next[sum + rank] = at(next, sum + rank) + share / 2;
    });
    ways = next;
  }
  return Math.min(
    1,
    ways.slice(0, observed + 1).reduce((total, share) => total + share, 0),
  );
}

/** Ranks from 1; equal values share the mean of their ranks. */
export function midRanks(values: readonly number[]): number[] {
  const order = values.map((_, index) => index).sort((i, j) => at(values, i) - at(values, j));
  const ranks = values.map(() => 0);
  for (let start = 0; start < order.length; ) {
    let end = start;
    while (end < order.length && at(values, at(order, end)) === at(values, at(order, start))) end++;
    for (const index of order.slice(start, end)) ranks[index] = (start + end + 1) / 2;
    start = end;
  }
  return ranks;
}
