import { sampleCorrelation, sampleRankCorrelation } from 'simple-statistics';
import { normalMultiplier, tTwoSided } from './distribution.ts';
import { estimate, finite, interval } from './estimate.ts';
import { requireFraction, requireReal, requireSameLength } from './input.ts';
import { constant } from './moments.ts';
import { type Interval, type Stat, undefinedStat } from './stat.ts';

export interface Correlation extends Stat {
  /** Two-sided p of no correlation. */
  p: number | null;
}

/**
 * Pearson's r with Fisher's interval and a t test on n − 2 degrees of freedom; assumes a linear, roughly normal
 * relation. Not for agreement: a judge two levels too high correlates perfectly. ZERO_VARIANCE for a constant side.
 */
export function pearson(x: readonly number[], y: readonly number[], level = 0.95): Correlation {
  requirePairs(x, y, level);
  return correlated(x, y, level, (values) => ({
    r: sampleCorrelation(values.x, values.y),
    half: (_r, n) => normalMultiplier(level) / Math.sqrt(n - 3),
    method: 'fisher',
  }));
}

/**
 * Spearman's ρ, Pearson's r of mid-ranks, with the Bonett-Wright interval. For ordinal scores; says nothing of levels.
 * Source: Bonett & Wright 2000.
 */
export function spearman(x: readonly number[], y: readonly number[], level = 0.95): Correlation {
  requirePairs(x, y, level);
  return correlated(x, y, level, (values) => ({
    r: sampleRankCorrelation(values.x, values.y),
    half: (r, n) => normalMultiplier(level) * Math.sqrt((1 + (r * r) / 2) / (n - 3)),
    method: 'bonett-wright',
  }));
}

/** tanh(atanh r ± half); null where |r| is 1 or the half-width does not exist. */
export function fisherInterval(r: number, half: number, level: number, method: string): Interval | null {
  if (Math.abs(r) >= 1 || !Number.isFinite(half)) return null;
  return interval(Math.tanh(Math.atanh(r) - half), Math.tanh(Math.atanh(r) + half), level, method);
}

/** Two-sided p of a correlation with `df` degrees of freedom. */
export function correlationP(r: number, df: number): number | null {
  if (df < 1) return null;
  if (Math.abs(r) >= 1) return 0;
  return finite(tTwoSided((r * Math.sqrt(df)) / Math.sqrt(1 - r * r), df));
}

export function requirePairs(x: readonly number[], y: readonly number[], level: number): void {
  requireSameLength(x, y);
  requireReal(x, 'x');
  requireReal(y, 'y');
  requireFraction(level, 'level');
}

interface Coefficient {
  r: number;
  half: (r: number, n: number) => number;
  method: string;
}

function correlated(
  x: readonly number[],
  y: readonly number[],
  level: number,
  coefficient: (values: { x: readonly number[]; y: readonly number[] }) => Coefficient,
): Correlation {
  const n = x.length;
  if (n === 0) return { ...undefinedStat('EMPTY'), p: null };
  if (constant(x) || constant(y)) return { ...undefinedStat('ZERO_VARIANCE', n), p: null };
  const { r: raw, half, method } = coefficient({ x, y });
  const r = rounded(raw);
  const ci = n < 4 ? null : fisherInterval(r, half(r, n), level, method);
  return {
    ...estimate({ value: r, ci, n, reason: Number.isNaN(r) ? 'ZERO_VARIANCE' : undefined }),
    p: correlationP(r, n - 2),
  };
}

/** A coefficient within rounding of ±1 is ±1. */
function rounded(r: number): number {
  return Math.abs(r) > 1 - 1e-14 ? Math.sign(r) : r;
}
