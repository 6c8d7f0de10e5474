import { finite } from './estimate.ts';
import { mean, meanError, variance } from './moments.ts';
import { type TaskTrials, taskCounts } from './suite-interval.ts';

export interface VarianceDecomposition {
  /** Mean variance of one trial within its task; null without a task of two trials. */
  within: number | null;
  /** Variance of true pass rates between tasks, never below 0; null where `within` is or with one task. */
  between: number | null;
  /** Standard error of the suite's mean pass rate. */
  seMean: number | null;
  tasks: number;
}

/**
 * Where a suite's noise comes from: σ²_W = mean of K/(K−1) p(1−p), ω² = max(0, var(p) − σ²_W · mean(1/K)): one-way
 * analysis of variance. More trials help while σ²_W / K exceeds ω²; after that only more tasks do. Source: Miller 2024.
 */
export function varianceDecomposition(trials: readonly TaskTrials[]): VarianceDecomposition {
  const { tasks } = taskCounts(trials);
  const rates = tasks.map(({ n, c }) => c / n);
  const spreads = tasks.flatMap(({ n, c }) => (n < 2 ? [] : [(n / (n - 1)) * (c / n) * (1 - c / n)]));
  const within = spreads.length === 0 ? Number.NaN : mean(spreads);
  const noise = within * mean(tasks.map(({ n }) => 1 / n));
  return {
    within: finite(within),
    between: finite(Math.max(0, variance(rates) - noise)),
    seMean: finite(meanError(rates)),
    tasks: tasks.length,
  };
}
