import { tQuantile } from './distribution.ts';
import { estimate, interval } from './estimate.ts';
import { requireFraction, requireReal, requireSameLength } from './input.ts';
import { mean } from './moments.ts';
import { type Stat, undefinedStat } from './stat.ts';

export interface ClusterMean extends Stat {
  clusters: number;
  /** Without the small-sample factor, as Miller 2024 prints it. */
  seMiller: number | null;
  /** What ignoring the clusters would give. */
  seNaive: number | null;
}

/**
 * Mean of y where every value counts once, with a standard error that lets values of one cluster (task, template,
 * customer) move together: se² = G/(G−1) Σ_g (Σ_{i∈g} (yᵢ − ȳ))² / N², t interval with G − 1 degrees of freedom.
 * For a mean in which every task counts once use suiteInterval; they coincide at equal trials. One cluster:
 * insufficient, TOO_FEW_TASKS. Source: Miller 2024 (arXiv 2411.00640); Cameron & Miller 2015.
 */
export function clusterSE(
  y: readonly number[],
  cluster: readonly (string | number)[],
  level = 0.95,
): ClusterMean {
  requireSameLength(y, cluster);
  requireReal(y, 'y');
  requireFraction(level, 'level');
  const n = y.length;
  if (n === 0) return { ...undefinedStat('EMPTY'), clusters: 0, seMiller: null, seNaive: null };
  const value = mean(y);
  const residuals = y.map((observed) => observed - value);
  const sums = [...clusterSums(residuals, cluster).values()];
  const clusters = sums.length;
  const seMiller = Math.sqrt(sumOfSquares(sums)) / n;
  const seNaive = Math.sqrt(sumOfSquares(residuals)) / n;
  if (clusters < 2) {
    const parts = { status: 'insufficient', reason: 'TOO_FEW_TASKS' } as const;
    return { ...estimate({ value, n, ...parts }), clusters, seMiller: null, seNaive };
  }
  const se = seMiller * Math.sqrt(clusters / (clusters - 1));
  const margin = tQuantile((1 + level) / 2, clusters - 1) * se;
  const ci = interval(value - margin, value + margin, level, 't by cluster');
  return { ...estimate({ value, se, ci, n }), clusters, seMiller, seNaive };
}

/** Sum of values by cluster. */
export function clusterSums(
  values: readonly number[],
  cluster: readonly (string | number)[],
): Map<string | number, number> {
  const sums = new Map<string | number, number>();
  values.forEach((value, index) => {
    const key = cluster[index];
    if (key !== undefined) sums.set(key, (sums.get(key) ?? 0) + value);
  });
  return sums;
}

function sumOfSquares(values: readonly number[]): number {
  return values.reduce((total, value) => total + value * value, 0);
}
