import { tQuantile } from './distribution.ts';
import { estimate, interval } from './estimate.ts';
import { requireFraction } from './input.ts';
import type { RatingCounts } from './rating-counts.ts';
import { type Stat, undefinedStat } from './stat.ts';
import { at } from './table.ts';

/** A chance-corrected coefficient of many raters with its agreement and chance agreement. */
export interface MultiRaterResult extends Stat {
  po: number | null;
  pe: number | null;
}

/**
 * κ = (po − pe) / (1 − pe) with Gwet's linearised standard error and a t interval over items.
 * `chance[k]` is what one rating in category k adds to chance agreement; pe is its mean times `peShare`.
 * Source: Gwet 2014, ch. 5. NO_PAIRABLE_UNITS without an item rated twice; SINGLE_CATEGORY at pe = 1.
 */
export function multiRaterCoefficient(
  counted: RatingCounts,
  pe: number,
  chance: readonly number[],
  level = 0.95,
): MultiRaterResult {
  requireFraction(level, 'level');
  const { items, po, pairable, nMissing } = counted;
  const n = items.length;
  const none = { po: null, pe: null };
  if (n === 0) return { ...undefinedStat('EMPTY', 0, nMissing), ...none };
  if (pairable === 0) return { ...undefinedStat('NO_PAIRABLE_UNITS', n, nMissing), ...none };
  if (1 - pe < 1e-12) return { ...undefinedStat('SINGLE_CATEGORY', n, nMissing), po, pe };
  const value = (po - pe) / (1 - pe);
  let squares = 0;
  for (const { counts, raters, agreement } of items) {
    const own = agreement === null ? 0 : ((n / pairable) * (agreement - pe)) / (1 - pe);
    const chanceOfItem = counts.reduce((total, count, k) => total + count * at(chance, k), 0) / raters;
    squares += (own - (2 * (1 - value) * (chanceOfItem - pe)) / (1 - pe) - value) ** 2;
  }
  const se = n < 2 ? Number.NaN : Math.sqrt(squares / (n * (n - 1)));
  const margin = n < 2 ? Number.NaN : tQuantile((1 + level) / 2, n - 1) * se;
  const ci = interval(value - margin, value + margin, level, 't over items', [Math.min(-1, value), 1]);
  return { ...estimate({ value, se, ci, n, nMissing }), po, pe };
}
