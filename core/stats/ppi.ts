import { normalMultiplier } from './distribution.ts';
import { estimate, interval } from './estimate.ts';
import { requireFraction, requireProbability, requireReal, requireSameLength, requireThat } from './input.ts';
import { mean } from './moments.ts';
import { type Stat, undefinedStat } from './stat.ts';
import { at } from './table.ts';

/** Human labels y with the judge's scores of the same items, and its scores of items without a label. */
export interface PpiData {
  y: readonly number[];
  yhat: readonly number[];
  yhatUnlabeled: readonly number[];
}

export interface PpiOptions {
  /** How far to lean on the judge: 0 labels only, 1 classic PPI; left out, the value with the least variance. */
  lambda?: number | undefined;
  level?: number;
  /** Where the mean must lie: [0, 1] for a rate. */
  range?: readonly [number, number];
}

export interface PpiMean extends Stat {
  lambda: number | null;
}

/**
 * Mean human score of all items by prediction-powered inference (PPI++): θ = λ·mean(judge, unlabelled) +
 * mean(y − λ·judge, labelled). For scores and other continuous metrics, from labels on a random sample; the two sets
 * must be disjoint. For a pass rate use correctedPassRate, which keeps its level near 1. Below 20 labels: insufficient,
 * TOO_FEW_CALIBRATION. Source: Angelopoulos et al. 2023; Angelopoulos, Duchi & Zrnic 2023.
 */
export function ppiMean(data: PpiData, options: PpiOptions = {}): PpiMean {
  const { level = 0.95, range } = options;
  const { y, yhat, yhatUnlabeled } = data;
  requireSameLength(y, yhat);
  for (const values of [y, yhat, yhatUnlabeled]) requireReal(values, 'scores');
  requireFraction(level, 'level');
  if (options.lambda !== undefined) requireProbability(options.lambda, 'lambda');
  const n = y.length;
  if (n === 0) return { ...undefinedStat('EMPTY'), lambda: null };
  const lambda = yhatUnlabeled.length === 0 ? 0 : (options.lambda ?? bestLambda(data));
  const residuals = y.map((label, item) => label - lambda * at(yhat, item));
  const judged = lambda === 0 ? { mean: 0, error2: 0 } : moments(yhatUnlabeled);
  const corrected = moments(residuals);
  const value = lambda * judged.mean + corrected.mean;
  const se = Math.sqrt(lambda ** 2 * judged.error2 + corrected.error2);
  const margin = normalMultiplier(level) * se;
  const ci = n < 2 ? null : interval(value - margin, value + margin, level, 'ppi++', range);
  const few = n < 20 ? ({ status: 'insufficient', reason: 'TOO_FEW_CALIBRATION' } as const) : {};
  return { ...estimate({ value, se: n < 2 ? null : se, ci, n, ...few }), lambda };
}

/** PPI++ stratum by stratum; `weight` is a stratum's share of all items and the weights sum to 1. Source: Fisch et al. 2024. */
export function ppiStratified(
  strata: readonly (PpiData & { weight: number })[],
  options: PpiOptions = {},
): Stat {
  const { level = 0.95, range } = options;
  requireFraction(level, 'level');
  for (const { weight } of strata) requireProbability(weight, 'weight');
  if (strata.length === 0) return undefinedStat('EMPTY');
  const total = strata.reduce((sum, { weight }) => sum + weight, 0);
  requireThat(Math.abs(total - 1) < 1e-9, 'weights must sum to 1');
  const parts = strata.map(({ weight, ...data }) => ({ weight, ...ppiMean(data, options) }));
  const n = parts.reduce((sum, part) => sum + part.n, 0);
  if (parts.some(({ value, se }) => value === null || se === null)) {
    return estimate({ value: null, n, status: 'insufficient', reason: 'TOO_FEW_CALIBRATION' });
  }
  const value = parts.reduce((sum, part) => sum + part.weight * (part.value ?? 0), 0);
  const se = Math.sqrt(parts.reduce((sum, part) => sum + (part.weight * (part.se ?? 0)) ** 2, 0));
  const margin = normalMultiplier(level) * se;
  const few = parts.some(({ status }) => status === 'insufficient');
  return estimate({
    value,
    se,
    ci: interval(value - margin, value + margin, level, 'ppi++ stratified', range),
    n,
    ...(few && { status: 'insufficient', reason: 'TOO_FEW_CALIBRATION' }),
  });
}

/** cov(y, judge) / ((1 + n/N) var(judge, all)), clipped to [0, 1]; 0 for a judge that never varies. */
function bestLambda({ y, yhat, yhatUnlabeled }: PpiData): number {
  const all = [...yhat, ...yhatUnlabeled];
  const centre = mean(all);
  const spread = all.reduce((sum, score) => sum + (score - centre) ** 2, 0) / (all.length - 1);
  const [yMean, hatMean] = [mean(y), mean(yhat)];
  const covariance = mean(y.map((label, item) => (label - yMean) * (at(yhat, item) - hatMean)));
  if (!(spread > 0)) return 0;
  const lambda = covariance / ((1 + y.length / yhatUnlabeled.length) * spread);
  return Math.min(1, Math.max(0, lambda));
}

/** Mean and its squared error, variance with divisor n as ppi_py has it. */
function moments(values: readonly number[]): { mean: number; error2: number } {
  const centre = mean(values);
  const spread = mean(values.map((value) => (value - centre) ** 2));
  return { mean: centre, error2: spread / values.length };
}
