import { categoryPositions, inferCategories, isMissing, type Label } from './contingency.ts';
import { estimate } from './estimate.ts';
import { effectiveSize, weightNotes } from './hajek.ts';
import { requireFraction, requirePositive, requireSameLength } from './input.ts';
import { kappaInfluence, smoothedKappa } from './kappa.ts';
import { wilsonPo } from './kappa-interval.ts';
import { type Stat, undefinedStat } from './stat.ts';
import { at, chanceAgreement, tableShares, type WeightOptions } from './table.ts';

export interface WeightedKappa extends Stat {
  /** With the factor √(n/(n−1)), as R's survey::svykappa has it. */
  seSurvey: number | null;
  kishN: number | null;
}

/**
 * κ of a population from items drawn with unequal probabilities; sampling weight ω = 1 / inclusion probability.
 * se² = Σ(ω · influence)² / (Σω)². The interval is cohenKappa's at Kish's effective size. Never report κ of actively chosen
 * labels without weights. EMPTY; SINGLE_CATEGORY. Source: Binder 1983; Kish 1965.
 */
export function weightedSampleKappa(
  human: readonly Label[],
  judge: readonly Label[],
  samplingWeights: readonly number[],
  options: WeightOptions & { categories?: readonly (string | number)[]; level?: number } = {},
): WeightedKappa {
  const {
    level = 0.95,
    weights = 'unweighted',
    categories = inferCategories([...human, ...judge]),
  } = options;
  requireSameLength(human, judge);
  requireSameLength(human, samplingWeights);
  requirePositive(samplingWeights, 'weights');
  requireFraction(level, 'level');
  const position = categoryPositions(categories);
  const items = human.flatMap((label, item) => {
    const other = judge[item];
    if (isMissing(label) || isMissing(other)) return [];
    return [{ i: position(label) ?? 0, j: position(other) ?? 0, weight: at(samplingWeights, item) }];
  });
  const n = items.length;
  const nMissing = human.length - n;
  const none = { seSurvey: null, kishN: null };
  const kishN = effectiveSize(items.map(({ weight }) => weight));
  const total = items.reduce((sum, { weight }) => sum + weight, 0);
  const table = categories.map(() => categories.map(() => 0));
  for (const { i, j, weight } of items) {
    const row = table[i];
    if (row !== undefined) row[j] = at(row, j) + (weight / total) * kishN;
  }
  const shares = n === 0 ? null : tableShares(table, options);
  if (shares === null) return { ...undefinedStat('EMPTY', 0, nMissing), ...none };
  const pe = chanceAgreement(shares);
  if (1 - pe < 1e-12) return { ...undefinedStat('SINGLE_CATEGORY', n, nMissing), ...none, kishN };
  const influence = kappaInfluence(shares);
  const squares = items.reduce((sum, { i, j, weight }) => sum + (weight * influence(i, j)) ** 2, 0);
  const se = Math.sqrt(squares) / total;
  const ci = weights === 'unweighted' ? wilsonPo(shares, pe, level) : smoothedKappa(table, options).ci;
  const value = (shares.po - pe) / (1 - pe);
  const seSurvey = n < 2 ? null : se * Math.sqrt(n / (n - 1));
  return { ...estimate({ value, se, ci, n, nMissing, notes: weightNotes(kishN, n) }), seSurvey, kishN };
}
