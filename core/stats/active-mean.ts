import { normalMultiplier } from './distribution.ts';
import { estimate, interval } from './estimate.ts';
import { requireInclusion } from './hajek.ts';
import { requireFraction, requireReal, requireSameLength, requireThat } from './input.ts';
import { mean, meanError } from './moments.ts';
import { type Stat, undefinedStat } from './stat.ts';
import { at } from './table.ts';

/** All N items: the judge's estimate, the chance of being labelled, whether it was, and then the label. */
export interface ActiveSample {
  f: readonly number[];
  pi: readonly number[];
  sampled: readonly (0 | 1)[];
  y: readonly (number | null)[];
}

/**
 * Mean human label of all items when labels went to the items the judge was least sure of: mean of f + (y − f)·ξ/π.
 * Unbiased whatever f is, as long as π was fixed before labelling and each item was drawn on its own (Poisson sampling).
 * EMPTY without items; INVALID_INPUT where a sampled item has no label. Source: Zrnic & Candès 2024.
 */
export function activeMean(
  { f, pi, sampled, y }: ActiveSample,
  options: { level?: number; range?: readonly [number, number] } = {},
): Stat {
  const { level = 0.95, range } = options;
  for (const column of [pi, sampled, y]) requireSameLength(f, column);
  requireReal(f, 'f');
  requireInclusion(pi);
  requireFraction(level, 'level');
  const n = f.length;
  if (n === 0) return undefinedStat('EMPTY');
  const corrected = f.map((guess, item) => {
    if (sampled[item] !== 1) return guess;
    const label = y[item];
    requireThat(typeof label === 'number', `item ${item} was sampled but has no label`);
    requireReal([label], 'y');
    return guess + (label - guess) / at(pi, item);
  });
  const value = mean(corrected);
  const se = n < 2 ? null : meanError(corrected);
  const margin = normalMultiplier(level) * (se ?? Number.NaN);
  return estimate({
    value,
    se,
    ci: interval(value - margin, value + margin, level, 'active, normal', range),
    n,
  });
}
