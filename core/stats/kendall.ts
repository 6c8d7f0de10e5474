import { normalTwoSided } from './distribution.ts';
import { estimate, finite } from './estimate.ts';
import { requireReal, requireSameLength } from './input.ts';
import { type Stat, undefinedStat } from './stat.ts';
import { at } from './table.ts';

export interface KendallResult extends Stat {
  /** Two-sided p by the normal approximation with the full correction for ties. */
  p: number | null;
}

/**
 * Kendall's τ_b = (C − D) / √((n₀ − n₁)(n₀ − n₂)), concordant less discordant pairs, corrected for ties.
 * O(n log n) by counting the exchanges of a merge sort (Knight 1966). The interval is tauInterval's (BCa).
 * ZERO_VARIANCE for a constant side. Source: Kendall 1945; Knight 1966.
 */
export function kendallTau(x: readonly number[], y: readonly number[]): KendallResult {
  requireSameLength(x, y);
  requireReal(x, 'x');
  requireReal(y, 'y');
  const n = x.length;
  if (n === 0) return { ...undefinedStat('EMPTY'), p: null };
  const order = Array.from({ length: n }, (_, index) => index);
  order.sort((i, j) => at(x, i) - at(x, j) || at(y, i) - at(y, j));
  const sortedY = order.map((index) => at(y, index));
  const tiesX = tieSizes(order.map((index) => at(x, index)));
  const tiesBoth = tieSizes(order, (i, j) => at(x, i) === at(x, j) && at(y, i) === at(y, j));
  const swaps = exchanges(sortedY);
  const tiesY = tieSizes([...sortedY].sort((a, b) => a - b));
  const all = pairs(n);
  const [n1, n2, n3] = [sumPairs(tiesX), sumPairs(tiesY), sumPairs(tiesBoth)];
  if (n1 === all || n2 === all) return { ...undefinedStat('ZERO_VARIANCE', n), p: null };
  const score = all - n1 - n2 + n3 - 2 * swaps;
  const value = Math.max(-1, Math.min(1, score / (Math.sqrt(all - n1) * Math.sqrt(all - n2))));
  const sigma = Math.sqrt(tieVariance(n, tiesX, tiesY));
  return { ...estimate({ value, n }), p: finite(normalTwoSided(score / sigma)) };
}

/** Variance of C − D under independence with ties. Source: Kendall & Gibbons 1990. */
function tieVariance(n: number, t: readonly number[], u: readonly number[]): number {
  const full = (size: number) => size * (size - 1) * (2 * size + 5);
  const sum = (sizes: readonly number[], term: (size: number) => number) =>
    sizes.reduce((total, size) => total + term(size), 0);
  const two = (size: number) => size * (size - 1);
  const three = (size: number) => size * (size - 1) * (size - 2);
  const base = (full(n) - sum(t, full) - sum(u, full)) / 18;
  const pairTerm = (sum(t, two) * sum(u, two)) / (2 * two(n));
  const tripleTerm = n < 3 ? 0 : (sum(t, three) * sum(u, three)) / (9 * three(n));
  return base + pairTerm + tripleTerm;
}

/** Sizes of runs of equal neighbours. */
function tieSizes(sorted: readonly number[], same = (a: number, b: number) => a === b): number[] {
  const sizes: number[] = [];
  let start = 0;
  for (let i = 1; i <= sorted.length; i++) {
    if (i < sorted.length && same(at(sorted, i - 1), at(sorted, i))) continue;
    sizes.push(i - start);
    start = i;
  }
  return sizes;
}

/** Exchanges a bubble sort would make, counted while merging; equal values are none. */
function exchanges(values: readonly number[]): number {
  let source = [...values];
  let swaps = 0;
  for (let width = 1; width < source.length; width *= 2) {
    const merged: number[] = [];
    for (let low = 0; low < source.length; low += 2 * width) {
      const middle = Math.min(low + width, source.length);
      const high = Math.min(low + 2 * width, source.length);
      let [i, j] = [low, middle];
      while (i < middle || j < high) {
        if (j >= high || (i < middle && at(source, i) <= at(source, j))) merged.push(at(source, i++));
        else {
          swaps += middle - i;
          merged.push(at(source, j++));
        }
      }
    }
    source = merged;
  }
  return swaps;
}

function pairs(size: number): number {
  return (size * (size - 1)) / 2;
}

function sumPairs(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + pairs(size), 0);
}
