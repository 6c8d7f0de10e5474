import { normalMultiplier, tQuantile } from './distribution.ts';
import { estimate, interval } from './estimate.ts';
import { requireFraction, requireProbability, requireReal, requireSameLength, requireThat } from './input.ts';
import { type Interval, type Stat, undefinedStat } from './stat.ts';
import { at } from './table.ts';
import { wilsonEnds } from './wilson.ts';

export interface HajekMean extends Stat {
  /** The size of an equally weighted sample as precise: (Σw)² / Σw². */
  kishN: number | null;
}

/**
 * Mean of a population from items drawn with known unequal probabilities `pi`: Σwy / Σw, w = 1/pi. Rates (0 and 1 only)
 * take Wilson's interval at Kish's effective size, other values a t interval. Keep pi at .05 or more: one item with a
 * tiny probability decides everything. Also for TPR and TNR of labels chosen by verdict. EMPTY without items.
 * Source: Hájek 1971; Kish 1965.
 */
export function hajekMean(y: readonly number[], pi: readonly number[], level = 0.95): HajekMean {
  requireSameLength(y, pi);
  requireReal(y, 'y');
  requireInclusion(pi);
  requireFraction(level, 'level');
  const n = y.length;
  if (n === 0) return { ...undefinedStat('EMPTY'), kishN: null };
  const w = pi.map((probability) => 1 / probability);
  const total = w.reduce((sum, weight) => sum + weight, 0);
  const value = w.reduce((sum, weight, item) => sum + weight * at(y, item), 0) / total;
  const squares = w.reduce((sum, weight, item) => sum + (weight * (at(y, item) - value)) ** 2, 0);
  const se = n < 2 ? null : Math.sqrt((n / (n - 1)) * squares) / total;
  const kishN = effectiveSize(w);
  const binary = y.every((label) => label === 0 || label === 1);
  const ci = binary ? rateInterval(value, kishN, level) : meanInterval(value, se, n, level);
  return { ...estimate({ value, se, ci, n, notes: weightNotes(kishN, n) }), kishN };
}

/** Kish's effective sample size of weights. */
export function effectiveSize(weights: readonly number[]): number {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return total ** 2 / weights.reduce((sum, weight) => sum + weight * weight, 0);
}

/** A warning where a few items carry most of the weight. */
export function weightNotes(kishN: number, n: number): string[] {
  return kishN < 0.5 * n ? [`unequal weights leave an effective size of ${kishN.toFixed(1)} of ${n}`] : [];
}

/** Inclusion probabilities lie in (0, 1]. */
export function requireInclusion(pi: readonly number[]): void {
  for (const probability of pi) {
    requireProbability(probability, 'pi');
    requireThat(probability >= 1e-9, 'pi must be above 0');
  }
}

function rateInterval(value: number, size: number, level: number): Interval | null {
  const rate = Math.min(1, Math.max(0, value));
  const ends = wilsonEnds(rate, size, normalMultiplier(level));
  return interval(ends.low, ends.high, level, 'wilson at the effective size');
}

function meanInterval(value: number, se: number | null, n: number, level: number): Interval | null {
  if (se === null) return null;
  const margin = tQuantile((1 + level) / 2, n - 1) * se;
  return interval(value - margin, value + margin, level, 't, linearised');
}
