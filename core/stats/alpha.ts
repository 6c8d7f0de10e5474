import { categoryPositions, inferCategories } from './contingency.ts';
import { estimate } from './estimate.ts';
import { requireReal, requireThat } from './input.ts';
import type { Ratings } from './rating-counts.ts';
import { type Stat, undefinedStat } from './stat.ts';
import { at } from './table.ts';

/** What the categories mean: names, ranks, numbers, or numbers with a true zero. */
export type AlphaLevel = 'nominal' | 'ordinal' | 'interval' | 'ratio';

/** Ratings of a unit: the categories that occur, how often each, and how many ratings in all. */
export interface AlphaUnit {
  categories: number[];
  counts: number[];
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
    const unit = { categories: [...counts.keys()], counts: [...counts.values()], ratings: count };
    units.push(count < 2 ? null : unit);
  }
  return { units, places: categoryPlaces(categories, level), nMissing };
}

/** α of units, repeated ones allowed; null when one value only occurs. */
export function alphaOf(
  units: readonly AlphaUnit[],
  places: readonly number[],
  level: AlphaLevel,
): number | null {
  const totals = places.map(() => 0);
  let n = 0;
  for (const { categories, counts, ratings } of units) {
    for (let k = 0; k < categories.length; k++) {
      const category = at(categories, k);
      totals[category] = at(totals, category) + at(counts, k);
    }
    n += ratings;
  }
  const scale = level === 'ordinal' ? midRanks(totals) : places;
  let observed = 0;
  for (const unit of units) observed += disagreement(unit, scale, level) / (unit.ratings - 1);
  const used = totals.flatMap((count, category) => (count > 0 ? [category] : []));
  const whole = { categories: used, counts: used.map((category) => at(totals, category)), ratings: n };
  const expected = disagreement(whole, scale, level);
  return used.length < 2 || expected <= 0 ? null : 1 - ((n - 1) * observed) / expected;
}

/** Σ over ordered pairs of counts × δ²; by deviations from the mean where δ is a distance. */
function disagreement(
  { categories, counts, ratings }: AlphaUnit,
  scale: readonly number[],
  level: AlphaLevel,
): number {
  if (categories.length < 2) return 0;
  let sum = 0;
  if (level === 'nominal') {
    for (const count of counts) sum += count * (ratings - count);
    return sum;
  }
  if (level === 'ratio') return ratioDisagreement(categories, counts, scale);
  let centre = 0;
  for (let k = 0; k < categories.length; k++) centre += at(counts, k) * at(scale, at(categories, k));
  centre /= ratings;
  for (let k = 0; k < categories.length; k++)
    sum += at(counts, k) * (at(scale, at(categories, k)) - centre) ** 2;
  return 2 * ratings * sum;
}

function ratioDisagreement(
  categories: readonly number[],
  counts: readonly number[],
  scale: readonly number[],
): number {
  let sum = 0;
  for (let i = 0; i < categories.length; i++) {
    for (let j = 0; j < i; j++) {
      const [c, k] = [at(scale, at(categories, i)), at(scale, at(categories, j))];
      if (c + k !== 0) sum += 2 * at(counts, i) * at(counts, j) * ((c - k) / (c + k)) ** 2;
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
