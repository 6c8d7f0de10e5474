import type { Limits } from '../../../core/suite.ts';
import type { Trace } from '../../../core/trace.ts';
import type { Violation } from '../../../core/trial.ts';
import { executedCalls } from './trajectory.ts';

/** What a trial used up. */
export interface Spent {
  trace: Trace;
  /** True where the deadline ended the trial. */
  timedOut: boolean;
  /** As the agent reports it; null = it reported none. */
  cost_usd: number | null;
}

/** Grades what it took: tool calls, time and money against the task's budget and the suite's limits. */
export function gradeOperations(maxSteps: number, limits: Limits, spent: Spent): Violation[] {
  const calls = executedCalls(spent.trace);
  const budget = Math.min(maxSteps, limits.steps);
  const over = calls[budget];
  const violations: Violation[] = [];
  if (over !== undefined) {
    violations.push({
      rule: 'too_many_steps',
      step: over.at,
      message: `${calls.length} tool calls, the budget is ${budget}`,
    });
  }
  if (spent.timedOut) {
    violations.push({
      rule: 'too_slow',
      step: null,
      message: `not done after ${limits.seconds} s`,
    });
  }
  if (limits.cost_usd !== undefined && spent.cost_usd !== null && spent.cost_usd > limits.cost_usd) {
    violations.push({
      rule: 'too_costly',
      step: null,
      message: `the agent reports $${spent.cost_usd}, the limit is $${limits.cost_usd}`,
    });
  }
  return violations;
}
