import { normalCdf, normalQuantile } from './distribution.ts';
import { finite, interval } from './estimate.ts';
import { requireFraction } from './input.ts';
import { quantile7Sorted } from './quantile.ts';
import type { Interval } from './stat.ts';

/** A leave-one-out value and how many units give it. */
export type Jackknife = readonly { value: number; count: number }[];

export interface BcaResult {
  percentile: Interval | null;
  bca: Interval | null;
  /** Bias correction and acceleration; null where they do not exist. */
  z0: number | null;
  a: number | null;
}

/**
 * Percentile and bias-corrected accelerated intervals of bootstrap replicates. z0 counts ties with θ half (mid-rank),
 * which matters for discrete statistics; quantiles are type 7. bca is null where z0 or the acceleration does not exist.
 * Not for small samples of rates near 0 or 1, where both undercover. Source: Efron 1987; the rules of scipy.
 */
export function bcaInterval(
  theta: number,
  replicates: readonly number[],
  jackknife: Jackknife,
  level = 0.95,
): BcaResult {
  requireFraction(level, 'level');
  const sorted = Array.from(Float64Array.from(replicates).sort());
  const tails: [number, number] = [(1 - level) / 2, (1 + level) / 2];
  const percentile = between(sorted, tails, level, 'bootstrap percentile');
  const z0 = finite(biasCorrection(theta, replicates));
  const a = acceleration(jackknife);
  if (z0 === null || a === null) return { percentile, bca: null, z0, a };
  const [low, high] = tails.map((tail) => adjusted(z0, a, normalQuantile(tail)));
  const exists = low !== undefined && high !== undefined && low < high;
  return { percentile, bca: exists ? between(sorted, [low, high], level, 'bootstrap BCa') : null, z0, a };
}

/** Is a resampled value the observed one, up to rounding? */
export function tied(value: number, theta: number): boolean {
  return Math.abs(value - theta) <= 1e-12 * Math.max(1, Math.abs(theta));
}

function biasCorrection(theta: number, replicates: readonly number[]): number {
  let below = 0;
  for (const value of replicates) {
    if (tied(value, theta)) below += 0.5;
    else if (value < theta) below += 1;
  }
  return normalQuantile(below / replicates.length);
}

/** a = Σu³ / (6 (Σu²)^1.5), u the mean leave-one-out value less each; 0 where all are equal. */
function acceleration(jackknife: Jackknife): number | null {
  const count = jackknife.reduce((total, unit) => total + unit.count, 0);
  const mean = jackknife.reduce((total, unit) => total + unit.count * unit.value, 0) / count;
  let squares = 0;
  let cubes = 0;
  for (const unit of jackknife) {
    const u = tied(unit.value, mean) ? 0 : mean - unit.value;
    squares += unit.count * u * u;
    cubes += unit.count * u * u * u;
  }
  if (!Number.isFinite(squares)) return null;
  return squares === 0 ? 0 : finite(cubes / (6 * squares ** 1.5));
}

function adjusted(z0: number, a: number, z: number): number {
  const shifted = z0 + z;
  const denominator = 1 - a * shifted;
  return denominator <= 0 ? Number.NaN : normalCdf(z0 + shifted / denominator);
}

function between(
  sorted: number[],
  [low, high]: [number, number],
  level: number,
  method: string,
): Interval | null {
  const ends = [quantile7Sorted(sorted, low), quantile7Sorted(sorted, high)];
  const [from, to] = ends;
  return from === null || to === null || from === undefined || to === undefined
    ? null
    : interval(from, to, level, method);
}
