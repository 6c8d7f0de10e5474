import type { Stat } from './stat.ts';
import { type TaskTrials, taskCounts } from './suite-interval.ts';
import { wilson } from './wilson.ts';

export interface FlakyTask {
  /** Position among the suite's tasks. */
  task: number;
  rate: Stat;
}

/**
 * Tasks that passed some trials and failed others, with Wilson's interval of each pass rate, flakiest (nearest ½) first.
 * A task whose outcome differs between two graders of one trace is a defect of a grader, not flaky.
 */
export function flakyTasks(trials: readonly TaskTrials[], level = 0.95): FlakyTask[] {
  const flaky = trials.flatMap((task, index) => {
    const counted = taskCounts([task]).tasks[0];
    if (counted === undefined || counted.c === 0 || counted.c === counted.n) return [];
    return [{ task: index, rate: wilson(counted.c, counted.n, level) }];
  });
  const distance = ({ rate }: FlakyTask) => Math.abs((rate.value ?? 0) - 0.5);
  return flaky.sort((a, b) => distance(a) - distance(b) || a.task - b.task);
}
