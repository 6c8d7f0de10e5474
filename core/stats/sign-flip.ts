import { requireCount, requireReal, requireThat } from './input.ts';
import { randomStream } from './random.ts';

export interface SignFlip {
  pTwo: number;
  /** One-sided: of a rise, and of a drop. */
  pGreater: number;
  pLess: number;
  method: 'exact' | 'monte-carlo';
  /** Sign patterns looked at. */
  patterns: number;
  /** The smallest two-sided p that this many tasks can reach: 2^(1−G). */
  smallestP: number;
}

/** Up to this many tasks all sign patterns are tried. */
const EXACT_TASKS = 16;

/**
 * Does the mean of per-task differences differ from 0, if each difference were as likely with the other sign?
 * Exact up to 16 tasks, else Monte Carlo with B patterns. Assumes differences symmetric about 0 under no change;
 * needs no normality. Four tasks can never reach .05. Source: Fisher 1935; Phipson & Smyth 2010 for (1 + #)/(B + 1).
 */
export function signFlip(d: readonly number[], options: { seed: number; B?: number }): SignFlip {
  return d.length <= EXACT_TASKS ? signFlipExact(d) : signFlipMonteCarlo(d, options);
}

/** All 2^G sign patterns; at most 20 differences. Without any, every p is 1. */
export function signFlipExact(d: readonly number[]): SignFlip {
  requireReal(d, 'd');
  requireThat(d.length <= 20, 'the exact sign-flip test takes at most 20 differences');
  const patterns = 2 ** d.length;
  const sums = new Float64Array(patterns);
  let filled = 1;
  for (const value of d) {
    for (let index = 0; index < filled; index++) {
      const sum = sums[index] ?? 0;
      sums[index] = sum + value;
      sums[index + filled] = sum - value;
    }
    filled *= 2;
  }
  const counts = extremes(sums, d);
  return {
    pTwo: counts.two / patterns,
    pGreater: counts.greater / patterns,
    pLess: counts.less / patterns,
    method: 'exact',
    patterns,
    smallestP: Math.min(1, 2 ** (1 - d.length)),
  };
}

/** B random patterns, one sign a difference in their order; p = (1 + #) / (B + 1). */
export function signFlipMonteCarlo(
  d: readonly number[],
  { seed, B = 10000 }: { seed: number; B?: number },
): SignFlip {
  requireReal(d, 'd');
  requireCount(B, 'B', 1);
  const random = randomStream(seed);
  const sums = Float64Array.from({ length: B }, () =>
    d.reduce((sum, value) => sum + random.sign() * value, 0),
  );
  const counts = extremes(sums, d);
  return {
    pTwo: (1 + counts.two) / (B + 1),
    pGreater: (1 + counts.greater) / (B + 1),
    pLess: (1 + counts.less) / (B + 1),
    method: 'monte-carlo',
    patterns: B,
    smallestP: Math.min(1, 2 ** (1 - d.length)),
  };
}

function extremes(sums: Float64Array, d: readonly number[]): { two: number; greater: number; less: number } {
  const observed = d.reduce((sum, value) => sum + value, 0);
  const slack =
    1e-12 *
    Math.max(
      1,
      d.reduce((sum, value) => sum + Math.abs(value), 0),
    );
  const counts = { two: 0, greater: 0, less: 0 };
  for (const sum of sums) {
    if (Math.abs(sum) >= Math.abs(observed) - slack) counts.two++;
    if (sum >= observed - slack) counts.greater++;
    if (sum <= observed + slack) counts.less++;
  }
  return counts;
}
