import { finite } from './estimate.ts';
import { type MultiRaterResult, multiRaterCoefficient } from './multi-rater.ts';
import { type MultiRaterOptions, type RatingCounts, type Ratings, ratingCounts } from './rating-counts.ts';
import { at } from './table.ts';

export interface FleissResult extends MultiRaterResult {
  /** Standard error under κ = 0, for that test only; null with unequal numbers of ratings or weights. */
  seNull: number | null;
}

/**
 * Agreement of many interchangeable raters beyond chance: pe = Σ wₖₗ πₖ πₗ over pooled category shares.
 * Missing ratings are allowed: items with one rating inform the shares only. With two raters it is Scott's π, not
 * Cohen's κ. Not for raters with roles (human and judge). Source: Fleiss 1971; Gwet 2014 for errors and missing ratings.
 */
export function fleissKappa(ratings: Ratings, options: MultiRaterOptions = {}): FleissResult {
  const counted = ratingCounts(ratings, options);
  const chance = counted.weights.map((row) =>
    row.reduce((total, weight, l) => total + weight * at(counted.shares, l), 0),
  );
  const pe = counted.shares.reduce((total, share, k) => total + share * at(chance, k), 0);
  const result = multiRaterCoefficient(counted, pe, chance, options.level);
  const weighted = (options.weights ?? 'unweighted') !== 'unweighted';
  return { ...result, seNull: weighted ? null : finite(nullError(counted)) };
}

/** Fleiss, Nee & Landis 1979; needs the same number of ratings of every item. */
function nullError({ items, shares }: RatingCounts): number {
  const raters = items[0]?.raters ?? 0;
  if (items.some((item) => item.raters !== raters)) return Number.NaN;
  const pq = shares.reduce((total, share) => total + share * (1 - share), 0);
  const third = shares.reduce((total, share) => total + share * (1 - share) * (1 - 2 * share), 0);
  const scale = Math.sqrt(2) / (pq * Math.sqrt(items.length * raters * (raters - 1)));
  return scale * Math.sqrt(Math.max(0, pq * pq - third));
}
