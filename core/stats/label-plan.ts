import { normalMultiplier } from './distribution.ts';
import { requireFraction, requireProbability, requireReal, requireThat } from './input.ts';
import { kappaInfluence } from './kappa.ts';
import { type PowerOptions, quantiles, roundedUp } from './power.ts';
import { StatsInputError } from './stat.ts';
import { cellMean, sharesOf } from './table.ts';

/** What is expected: agreement, and the share of passes by each rater. */
export interface ExpectedAgreement {
  kappa: number;
  passRate1: number;
  passRate2: number;
}

export interface LabelPlan {
  /** n · se², the variance of one item. */
  Q: number;
  n: number;
  /** False where no table has these pass rates and this κ: n is then the formula's, and the plan has to change. */
  feasible: boolean;
}

/**
 * Labels needed for an interval of κ ± halfWidth in a binary criterion. Rare failures cost most: balance the labels by
 * judge verdict and weight them (weightedSampleKappa). INVALID_INPUT where the formula has no positive variance.
 */
export function itemsForKappaHalfWidth(
  expected: ExpectedAgreement,
  { halfWidth, level = 0.95 }: { halfWidth: number; level?: number },
): LabelPlan {
  requireFraction(halfWidth, 'halfWidth');
  requireFraction(level, 'level');
  const table = expectedTable(expected);
  const Q = itemVariance(table);
  return { Q, n: roundedUp((normalMultiplier(level) / halfWidth) ** 2 * Q).n, feasible: isFeasible(table) };
}

/** Labels needed for an interval of a (weighted) κ on q levels with these shares for both raters, κ mixed on the diagonal. */
export function itemsForWeightedHalfWidth(
  { kappa, shares }: { kappa: number; shares: readonly number[] },
  options: { halfWidth: number; level?: number; weights: 'unweighted' | 'linear' | 'quadratic' },
): LabelPlan {
  const { halfWidth, level = 0.95, weights } = options;
  requireProbability(kappa, 'kappa');
  requireFraction(halfWidth, 'halfWidth');
  requireFraction(level, 'level');
  for (const share of shares) requireProbability(share, 'a share');
  requireThat(Math.abs(shares.reduce((sum, share) => sum + share, 0) - 1) < 1e-9, 'shares must sum to 1');
  const table = shares.map((row, i) =>
    shares.map((column, j) => (1 - kappa) * row * column + (i === j ? kappa * row : 0)),
  );
  const Q = itemVariance(table, weights);
  return { Q, n: roundedUp((normalMultiplier(level) / halfWidth) ** 2 * Q).n, feasible: true };
}

/**
 * Labels needed to tell κ = kappa1 from κ = kappa0 in a binary criterion with these pass rates.
 * Source: Cantor 1996 (irr's N.cohen.kappa).
 */
export function itemsForKappaTest(
  rates: { kappa1: number; kappa0: number; passRate1: number; passRate2: number },
  options: PowerOptions = {},
): { n: number; feasible: boolean } {
  const { kappa1, kappa0, passRate1, passRate2 } = rates;
  requireThat(kappa1 !== kappa0, 'kappa1 and kappa0 must differ');
  const { zAlpha, zPower } = quantiles(options);
  const table0 = expectedTable({ kappa: kappa0, passRate1, passRate2 });
  const table1 = expectedTable({ kappa: kappa1, passRate1, passRate2 });
  const root = zAlpha * Math.sqrt(itemVariance(table0)) + zPower * Math.sqrt(itemVariance(table1));
  const feasible = isFeasible(table0) && isFeasible(table1);
  return { n: roundedUp((root / (kappa1 - kappa0)) ** 2).n, feasible };
}

function expectedTable({ kappa, passRate1, passRate2 }: ExpectedAgreement): number[][] {
  requireReal([kappa], 'kappa');
  requireFraction(passRate1, 'passRate1');
  requireFraction(passRate2, 'passRate2');
  const pe = passRate1 * passRate2 + (1 - passRate1) * (1 - passRate2);
  const po = kappa * (1 - pe) + pe;
  const both = (po - 1 + passRate1 + passRate2) / 2;
  return [
    [both, passRate1 - both],
    [passRate2 - both, 1 - passRate1 - passRate2 + both],
  ];
}

function isFeasible(table: readonly (readonly number[])[]): boolean {
  return table.every((row) => row.every((cell) => cell >= -1e-12));
}

function itemVariance(
  table: readonly (readonly number[])[],
  weights?: 'unweighted' | 'linear' | 'quadratic',
): number {
  const shares = sharesOf(table, weights === undefined ? {} : { weights });
  if (shares === null || shares.rows.some((share) => share >= 1 - 1e-12)) {
    throw new StatsInputError('INVALID_INPUT', 'one level only: kappa does not exist');
  }
  const influence = kappaInfluence(shares);
  const variance = cellMean(shares.cells, ({ i, j }) => influence(i, j) ** 2);
  requireThat(variance >= 0, 'no table has these pass rates and this kappa');
  return variance;
}
