import { categoryPositions, inferCategories } from './contingency.ts';
import { estimate } from './estimate.ts';
import { requireReal, requireThat } from './input.ts';
import type { Ratings } from './rating-counts.ts';
import { type Stat, undefinedStat } from './stat.ts';
import { at } from './table.ts';

/** What the categories mean: names, ranks, numbers, or numbers with a true zero. */
export type AlphaLevel = 'nominal' | 'ordinal' | 'interval' | 'ratio';

/** A unit's ratings as [category, count] pairs, and how many there are. */
export interface AlphaUnit {
  counts: [number, number][];
  ratings: number;
}

/** Ratings made ready for α: every unit over the categories, null below two ratings; `places` their numeric values. */
export interface AlphaUnits {
  units: (AlphaUnit | null)[];
  places: number[];
  nMissing: number;
}

/**
 * Krippendorff's α = 1 − observed / expected disagreement, for any number of raters, missing ratings and four levels
 * of measurement; ratings[unit][rater]. Units with fewer than two ratings do not count. Ranks of an ordinal scale are
 * `categories` in rubric order, else numbers ascending. n is the number of pairable units; the interval is
 * alphaInterval's. NO_PAIRABLE_UNITS; SINGLE_CATEGORY when only one value occurs (0/0, never 1).
 * .800 and above is firm, .667-.800 tentative. Not for judging one rater against another with a role.
 * Cost O(ratings), plus O(q²) for `ratio`. Source: Krippendorff 2004, 2011.
 */
export function krippendorffAlpha(
  ratings: Ratings,
  level: AlphaLevel,
  categories?: readonly (string | number)[],
): Stat {
  const { units: all, places, nMissing } = alphaUnits(ratings, level, categories);
  const units = all.filter((unit) => unit !== null);
  if (units.length === 0) return undefinedStat('NO_PAIRABLE_UNITS', 0, nMissing);
  const value = alphaOf(units, places, level);
  if (value === null) return undefinedStat('SINGLE_CATEGORY', units.length, nMissing);
  return estimate({ value, n: units.length, nMissing });
}

/** Counts ratings by unit; throws UNKNOWN_LABEL, INVALID_INPUT for names at a numeric level. */
export function alphaUnits(
  ratings: Ratings,
  level: AlphaLevel,
  categories: readonly (string | number)[] = inferCategories(ratings.flat()),
): AlphaUnits {
  const position = categoryPositions(categories);
  const units: (AlphaUnit | null)[] = [];
  let nMissing = 0;
  for (const row of ratings) {
    const counts = new Map<number, number>();
    for (const label of row) {
      const category = position(label);
      if (category === null) nMissing++;
      else counts.set(category, (counts.get(category) ?? 0) + 1);
    }
    const count = [...counts.values()].reduce((total, value) => total + value, 0);
    units.push(count < 2 ? null : { counts: [...counts], ratings: count });
  }
  return { units, places: categoryPlaces(categories, level), nMissing };
}

/** α of units, repeated ones allowed; null when one value only occurs. */
export function alphaOf(
  units: Iterable<AlphaUnit>,
  places: readonly number[],
  level: AlphaLevel,
): number | null {
  const totals = places.map(() => 0);
  let n = 0;
  for (const { counts, ratings } of units) {
    for (const [category, count] of counts) totals[category] = at(totals, category) + count;
    n += ratings;
  }
  const scale = level === 'ordinal' ? midRanks(totals) : places;
  let observed = 0;
  for (const { counts, ratings } of units) observed += disagreement(counts, scale, level) / (ratings - 1);
  const used = totals.flatMap((count, category): [number, number][] =>
    count > 0 ? [[category, count]] : [],
  );
  const expected = disagreement(used, scale, level);
  return used.length < 2 || expected <= 0 ? null : 1 - ((n - 1) * observed) / expected;
}

/** Σ over ordered pairs of counts × δ²; by deviations from the mean where δ is a distance. */
function disagreement(
  counts: readonly (readonly [number, number])[],
  scale: readonly number[],
  level: AlphaLevel,
): number {
  if (level === 'ratio') return ratioDisagreement(counts, scale);
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  if (level === 'nominal') return counts.reduce((sum, [, count]) => sum + count * (total - count), 0);
  const centre = counts.reduce((sum, [category, count]) => sum + count * at(scale, category), 0) / total;
  return (
    2 *
    total *
    counts.reduce((sum, [category, count]) => sum + count * (at(scale, category) - centre) ** 2, 0)
  );
}

function ratioDisagreement(counts: readonly (readonly [number, number])[], scale: readonly number[]): number {
  let sum = 0;
  for (const [c, first] of counts) {
    for (const [k, second] of counts) {
      const both = at(scale, c) + at(scale, k);
      if (c !== k && both !== 0) sum += first * second * ((at(scale, c) - at(scale, k)) / both) ** 2;
    }
  }
  return sum;
}

/** Ordinal distance is the distance of mid-ranks: Σ counts between, ends counted half. */
function midRanks(totals: readonly number[]): number[] {
  let below = 0;
  return totals.map((count) => {
    const rank = below + count / 2;
    below += count;
    return rank;
  });
}

function categoryPlaces(categories: readonly (string | number)[], level: AlphaLevel): number[] {
  if (level === 'nominal' || level === 'ordinal') return categories.map((_, index) => index);
  const places = categories.map(Number);
  requireReal(places, `categories of an ${level} scale`);
  requireThat(
    level !== 'ratio' || places.every((place) => place >= 0),
    'a ratio scale has no negative values',
  );
  return places;
}
