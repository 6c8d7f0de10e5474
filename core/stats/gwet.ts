import { type MultiRaterResult, multiRaterCoefficient } from './multi-rater.ts';
import { type MultiRaterOptions, type Ratings, ratingCounts } from './rating-counts.ts';

/**
 * Gwet's AC1 (identity weights) or AC2 of any number of raters, missing ratings allowed.
 * pe = T / (q(q − 1)) Σ πₖ(1 − πₖ), T the sum of weights; `categories` must be the declared ones, since dropping an
 * unused level changes the result. For two complete raters gwetAC of the table has the better interval.
 * Source: Gwet 2008, 2014.
 */
export function gwetACMulti(ratings: Ratings, options: MultiRaterOptions = {}): MultiRaterResult {
  const counted = ratingCounts(ratings, options);
  const { q, shares, weights } = counted;
  const scale =
    q < 2 ? Number.NaN : weights.flat().reduce((total, weight) => total + weight, 0) / (q * (q - 1));
  const chance = shares.map((share) => scale * (1 - share));
  const pe = q < 2 ? 1 : scale * shares.reduce((total, share) => total + share * (1 - share), 0);
  return multiRaterCoefficient(counted, pe, chance, options.level);
}

/**
 * Agreement of any number of raters beyond uniform guessing, pe = Σ w / q² (Randolph's free-marginal κ unweighted).
 * Source: Brennan & Prediger 1981; Randolph 2005.
 */
export function brennanPredigerMulti(ratings: Ratings, options: MultiRaterOptions = {}): MultiRaterResult {
  const counted = ratingCounts(ratings, options);
  const { q, weights } = counted;
  const pe = weights.flat().reduce((total, weight) => total + weight, 0) / q ** 2;
  return multiRaterCoefficient(
    counted,
    pe,
    weights.map(() => pe),
    options.level,
  );
}
