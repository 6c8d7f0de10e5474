import { type Correlation, pearson, spearman } from './correlation.ts';
import { type KendallResult, kendallTau } from './kendall.ts';

export interface RankCorrelation {
  rho: Correlation;
  tauB: KendallResult;
  /** For comparison: agreement in straight lines rather than in order. */
  pearson: Correlation;
}

/**
 * Do two raters put items in the same order? Spearman's ρ, Kendall's τ_b and Pearson's r of paired scores.
 * Order only: a judge one level too high scores 1. Report a kappa or ICC beside it. ZERO_VARIANCE for a constant side.
 */
export function rankCorrelation(x: readonly number[], y: readonly number[], level = 0.95): RankCorrelation {
  return { rho: spearman(x, y, level), tauB: kendallTau(x, y), pearson: pearson(x, y, level) };
}
