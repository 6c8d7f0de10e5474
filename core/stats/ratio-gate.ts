import { requireReal, requireSameLength, requireThat } from './input.ts';
import { type NonInferiority, nonInferiorityGate } from './non-inferiority.ts';
import { at } from './table.ts';

export interface RatioGate extends NonInferiority {
  /** Geometric mean of candidate / baseline over tasks, and its one-sided upper bound. */
  ratio: number | null;
  ratioUpper: number | null;
  /** Positions of tasks left out because a mean is 0. */
  excluded: number[];
}

/**
 * Does a cost, step count or latency stay within `budget` times the baseline's? d = ln(candidate) − ln(baseline) of
 * per-task means; passes when the upper bound of the ratio is at most `budget` (above 1). Tasks with a zero are listed.
 */
export function ratioGate(
  baseline: readonly number[],
  candidate: readonly number[],
  { budget, alpha = 0.05 }: { budget: number; alpha?: number },
): RatioGate {
  requireSameLength(baseline, candidate);
  requireReal([...baseline, ...candidate], 'means');
  requireThat(Math.min(0, ...baseline, ...candidate) >= 0, 'costs must not be negative');
  requireThat(budget > 1 && budget <= 1e60, `budget must be a ratio above 1, got ${budget}`);
  const excluded = baseline.flatMap((value, task) => (value === 0 || candidate[task] === 0 ? [task] : []));
  const left = new Set(excluded);
  const saved = baseline.flatMap((value, task) =>
    left.has(task) ? [] : [Math.log(value) - Math.log(at(candidate, task))],
  );
  const gate = nonInferiorityGate(saved, { margin: Math.log(budget), alpha, unbounded: true });
  return {
    ...gate,
    ratio: gate.mean === null ? null : Math.exp(-gate.mean),
    ratioUpper: gate.lower === null ? null : finiteExp(-gate.lower),
    excluded,
  };
}

function finiteExp(value: number): number | null {
  return value > 700 ? null : Math.exp(value);
}
