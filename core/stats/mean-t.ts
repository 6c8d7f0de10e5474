import { tCdf, tQuantile, tTwoSided } from './distribution.ts';
import { estimate, interval } from './estimate.ts';
import { requireFraction, requireReal } from './input.ts';
import { constant, mean, meanError } from './moments.ts';
import { type Stat, undefinedStat } from './stat.ts';

export interface MeanT extends Stat {
  t: number | null;
  df: number | null;
  /** Two-sided p of mean 0, and the one-sided p of a mean below 0. */
  p: number | null;
  pLess: number | null;
}

/**
 * Mean of independent values with Student's t interval and test of 0. Assumes a roughly normal mean: 20 values or more.
 * One value: insufficient, TOO_FEW_TASKS. Equal values: degenerate, ZERO_VARIANCE, no interval: it would have no width.
 */
export function meanT(values: readonly number[], level = 0.95): MeanT {
  requireReal(values, 'values');
  requireFraction(level, 'level');
  const n = values.length;
  const none = { t: null, df: null, p: null, pLess: null };
  if (n === 0) return { ...undefinedStat('EMPTY'), ...none };
  const value = mean(values);
  if (n === 1) return { ...estimate({ value, n, status: 'insufficient', reason: 'TOO_FEW_TASKS' }), ...none };
  const df = n - 1;
  if (constant(values)) {
    return { ...estimate({ value, se: 0, n, status: 'degenerate', reason: 'ZERO_VARIANCE' }), ...none, df };
  }
  const se = meanError(values);
  const t = value / se;
  const margin = tQuantile((1 + level) / 2, df) * se;
  const ci = interval(value - margin, value + margin, level, 't');
  return { ...estimate({ value, se, ci, n }), t, df, p: tTwoSided(t, df), pLess: tCdf(t, df) };
}
