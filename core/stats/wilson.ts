import { betaQuantile, normalMultiplier } from './distribution.ts';
import { estimate, interval } from './estimate.ts';
import { requireFraction, requireReal, requireThat } from './input.ts';
import { type Interval, type Stat, undefinedStat } from './stat.ts';

/**
 * A proportion x of n with Wilson's score interval, the default interval of every simple rate.
 * Assumes independent items; not for runs that share a task (suiteInterval). x and n may be fractional when n is
 * an effective size. The interval holds p, reaches exactly 0 at x = 0 and 1 at x = n. EMPTY at n = 0.
 * Throws INVALID_INPUT for x outside [0, n]. Source: Wilson 1927; Newcombe 1998.
 */
export function wilson(x: number, n: number, level = 0.95): Stat {
  requireRate(x, n, level);
  if (n === 0) return undefinedStat('EMPTY');
  const ends = wilsonEnds(x / n, n, normalMultiplier(level));
  return rate(x, n, interval(ends.low, ends.high, level, 'wilson'));
}

/** Wilson's ends for a proportion, a size (both may be fractional) and a multiplier (normal or t quantile). */
export function wilsonEnds(p: number, n: number, z: number): { low: number; high: number } {
  const d = 1 + (z * z) / n;
  const centre = (p + (z * z) / (2 * n)) / d;
  const half = (z * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n))) / d;
  return {
    low: p <= 0 ? 0 : Math.min(p, Math.max(0, centre - half)),
    high: p >= 1 ? 1 : Math.max(p, Math.min(1, centre + half)),
  };
}

/**
 * Exact (Clopper-Pearson) interval of a proportion: never below its level, wider than Wilson's.
 * For guarantees and rare events; not for display. Whole counts only. Source: Clopper & Pearson 1934.
 */
export function clopperPearson(x: number, n: number, level = 0.95): Stat {
  requireRate(x, n, level);
  if (n === 0) return undefinedStat('EMPTY');
  const tail = (1 - level) / 2;
  const low = x === 0 ? 0 : betaQuantile(tail, x, n - x + 1);
  const high = x === n ? 1 : betaQuantile(1 - tail, x + 1, n - x);
  return rate(x, n, interval(low, high, level, 'clopper-pearson'));
}

/** Bayesian interval of a proportion under Jeffreys' prior Beta(½, ½), closed at 0 and 1. */
export function jeffreys(x: number, n: number, level = 0.95): Stat {
  requireRate(x, n, level);
  if (n === 0) return undefinedStat('EMPTY');
  const tail = (1 - level) / 2;
  const low = x === 0 ? 0 : betaQuantile(tail, x + 0.5, n - x + 0.5);
  const high = x === n ? 1 : betaQuantile(1 - tail, x + 0.5, n - x + 0.5);
  return rate(x, n, interval(low, high, level, 'jeffreys'));
}

/**
 * How common an event may still be after n observations without one: the one-sided upper bound
 * 1 − (1 − level)^(1/n), the exact form of the rule of three.
 */
export function zeroEventsUpper(n: number, level = 0.95): Stat {
  requireRate(0, n, level);
  if (n === 0) return undefinedStat('EMPTY');
  const upper = -Math.expm1(Math.log1p(-level) / n);
  return rate(0, n, interval(0, upper, level, 'zero events, one-sided'));
}

function requireRate(x: number, n: number, level: number): void {
  requireReal([x, n], 'x and n');
  requireThat(x >= 0 && x <= n, `x must lie between 0 and n, got ${x} of ${n}`);
  requireFraction(level, 'level');
}

function rate(x: number, n: number, ci: Interval | null): Stat {
  const p = x / n;
  return estimate({ value: p, se: Math.sqrt((p * (1 - p)) / n), ci, n });
}
