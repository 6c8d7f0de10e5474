import { normalMultiplier } from './distribution.ts';
import { estimate, interval } from './estimate.ts';
import { requireCount, requireFraction, requireSameLength, requireThat } from './input.ts';
import { type Stat, undefinedStat } from './stat.ts';
import { at } from './table.ts';
import { wilsonEnds } from './wilson.ts';

export interface ClusteredRate extends Stat {
  /** Correlation of two trials of one task (ANOVA estimator; may be negative) and what it does to the variance. */
  icc: number | null;
  vif: number | null;
}

/**
 * Pass rate over all trials with Wilson's interval at the size that intra-task correlation leaves: N / vif,
 * vif = Σ nᵢ(1 + (nᵢ − 1)ρ) / N. A cross-check of suiteInterval, which is the default. TOO_FEW_TASKS below two tasks.
 * Source: Saha, Miller & Wang 2016.
 */
export function wilsonCluster(
  successes: readonly number[],
  trials: readonly number[],
  level = 0.95,
): ClusteredRate {
  requireSameLength(successes, trials);
  requireFraction(level, 'level');
  trials.forEach((n, task) => {
    requireCount(n, 'trials', 1);
    requireCount(at(successes, task), 'successes');
    requireThat(at(successes, task) <= n, 'successes cannot exceed trials');
  });
  const total = sum(trials);
  if (total === 0) return { ...undefinedStat('EMPTY'), icc: null, vif: null };
  const p = sum(successes) / total;
  const tasks = trials.length;
  if (tasks < 2) {
    return {
      ...estimate({ value: p, n: tasks, status: 'insufficient', reason: 'TOO_FEW_TASKS' }),
      icc: null,
      vif: null,
    };
  }
  const icc = anovaCorrelation(successes, trials);
  const vif = sum(trials.map((n) => n * (1 + (n - 1) * Math.max(0, icc ?? 0)))) / total;
  const ends = wilsonEnds(p, total / vif, normalMultiplier(level));
  const ci = interval(ends.low, ends.high, level, 'wilson, variance inflated by task');
  const se = Math.sqrt((p * (1 - p) * vif) / total);
  return { ...estimate({ value: p, se, ci, n: tasks }), icc, vif };
}

function anovaCorrelation(successes: readonly number[], trials: readonly number[]): number | null {
  const total = sum(trials);
  const tasks = trials.length;
  if (total === tasks) return null;
  const squares = sum(successes.map((x, task) => (x * x) / at(trials, task)));
  const between = (squares - sum(successes) ** 2 / total) / (tasks - 1);
  const within = (sum(successes) - squares) / (total - tasks);
  const size = (total - sum(trials.map((n) => n * n)) / total) / (tasks - 1);
  const denominator = between + (size - 1) * within;
  return denominator > 0 ? (between - within) / denominator : null;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
