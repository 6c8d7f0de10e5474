import { categoryPositions, inferCategories, type Label } from './contingency.ts';
import { at } from './table.ts';
import { agreementWeights, type Weights } from './weights.ts';

/** ratings[item][rater]; items may have different numbers of ratings, missing ones are null. */
export type Ratings = readonly (readonly Label[])[];

export interface MultiRaterOptions {
  /** The rubric's categories in its order; without them those that occur. */
  categories?: readonly (string | number)[] | undefined;
  weights?: Weights;
  values?: readonly number[] | undefined;
  level?: number;
}

/** One rated item: ratings per category, their number, and its weighted agreement among pairs of raters. */
export interface RatedItem {
  counts: number[];
  raters: number;
  /** Null with fewer than two ratings. */
  agreement: number | null;
}

export interface RatingCounts {
  q: number;
  items: RatedItem[];
  /** Ratings that were missing. */
  nMissing: number;
  /** Mean share of each category over items with any rating. */
  shares: number[];
  weights: number[][];
  /** Mean agreement over items with at least two ratings; NaN without one. */
  po: number;
  pairable: number;
}

/**
 * Counts ratings of any number of raters; items without a rating are left out.
 * Items with one rating keep their place in the category shares (Gwet's treatment of missing ratings).
 * Throws UNKNOWN_LABEL for a rating outside `categories`.
 */
export function ratingCounts(ratings: Ratings, options: MultiRaterOptions = {}): RatingCounts {
  const categories = options.categories ?? inferCategories(ratings.flat());
  const q = categories.length;
  const weights = agreementWeights(q, options.weights ?? 'unweighted', options.values);
  const position = categoryPositions(categories);
  const items: RatedItem[] = [];
  let nMissing = 0;
  for (const ratingsOfItem of ratings) {
    const counts = categories.map(() => 0);
    for (const rating of ratingsOfItem) {
      const k = position(rating);
      if (k === null) nMissing++;
      else counts[k] = at(counts, k) + 1;
    }
    const raters = counts.reduce((total, count) => total + count, 0);
    if (raters > 0) items.push({ counts, raters, agreement: pairAgreement(counts, raters, weights) });
  }
  const agreements = items.flatMap(({ agreement }) => (agreement === null ? [] : [agreement]));
  const shares = categories.map(
    (_, k) => items.reduce((total, { counts, raters }) => total + at(counts, k) / raters, 0) / items.length,
  );
  const po = agreements.reduce((total, agreement) => total + agreement, 0) / agreements.length;
  return { q, items, nMissing, shares, weights, po, pairable: agreements.length };
}

function pairAgreement(counts: readonly number[], raters: number, weights: number[][]): number | null {
  if (raters < 2) return null;
  let total = 0;
  counts.forEach((count, k) => {
    if (count === 0) return;
    const near = counts.reduce((sum, other, l) => sum + other * (weights[k]?.[l] ?? 0), 0);
    total += count * (near - 1);
  });
  return total / (raters * (raters - 1));
}
