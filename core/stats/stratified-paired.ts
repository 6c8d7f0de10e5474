import { tQuantile, tTwoSided } from './distribution.ts';
import { estimate, interval } from './estimate.ts';
import { requireFraction, requirePositive, requireReal } from './input.ts';
import { mean, variance } from './moments.ts';
import { type SignFlip, signFlip } from './sign-flip.ts';
import { type Stat, undefinedStat } from './stat.ts';

/** Paired differences of the tasks of one stratum, and what the stratum counts. */
export interface PairedStratum {
  weight: number;
  d: readonly number[];
}

export interface StratifiedPaired extends Stat {
  t: number | null;
  df: number | null;
  p: number | null;
  /** Sign-flip test of the weighted differences; null without any. */
  signFlip: SignFlip | null;
}

/**
 * Change between two versions paired by task, with strata (domain, difficulty) that count by weight rather than by their
 * number of tasks: Σ W_h d̄_h, W the weights scaled to 1, t with Satterthwaite's degrees of freedom. Give the weights of
 * the use that matters, fixed before looking. EMPTY where a stratum has no task; one task in a stratum: insufficient.
 * Source: Cochran 1977, ch. 5; Satterthwaite 1946.
 */
export function stratifiedPaired(
  strata: readonly PairedStratum[],
  options: { seed: number; B?: number; level?: number },
): StratifiedPaired {
  const { level = 0.95 } = options;
  requireFraction(level, 'level');
  requirePositive(
    strata.map(({ weight }) => weight),
    'weights',
  );
  for (const { d } of strata) requireReal(d, 'd');
  const n = strata.reduce((sum, { d }) => sum + d.length, 0);
  const none = { t: null, df: null, p: null, signFlip: null };
  if (n === 0 || strata.some(({ d }) => d.length === 0)) return { ...undefinedStat('EMPTY', n), ...none };
  const total = strata.reduce((sum, { weight }) => sum + weight, 0);
  const parts = strata.map(({ weight, d }) => ({ share: weight / total, d }));
  const value = parts.reduce((sum, { share, d }) => sum + share * mean(d), 0);
  const test = signFlip(
    parts.flatMap(({ share, d }) => d.map((difference) => (share * difference) / d.length)),
    options,
  );
  if (parts.some(({ d }) => d.length < 2)) {
    const single = { status: 'insufficient', reason: 'TOO_FEW_TASKS' } as const;
    return { ...estimate({ value, n, ...single }), ...none, signFlip: test };
  }
  const errors = parts.map(({ share, d }) => ({
    error2: (share ** 2 * variance(d)) / d.length,
    df: d.length - 1,
  }));
  const error2 = errors.reduce((sum, part) => sum + part.error2, 0);
  if (error2 === 0) {
    const reason = value === 0 ? 'NO_CHANGE_OBSERVED' : 'ZERO_VARIANCE';
    return { ...estimate({ value, se: 0, n, status: 'degenerate', reason }), ...none, signFlip: test };
  }
  const df = 1 / errors.reduce((sum, part) => sum + (part.error2 / error2) ** 2 / part.df, 0);
  const se = Math.sqrt(error2);
  const margin = tQuantile((1 + level) / 2, df) * se;
  const ci = interval(value - margin, value + margin, level, 't, stratified');
  return {
    ...estimate({ value, se, ci, n }),
    t: value / se,
    df,
    p: tTwoSided(value / se, df),
    signFlip: test,
  };
}
