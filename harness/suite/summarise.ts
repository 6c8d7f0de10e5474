import type { SuiteReport, TaskSummary } from '../../core/gate.ts';
import { clusterSE } from '../../core/stats/cluster-se.ts';
import type { Stat } from '../../core/stats/stat.ts';
import { suiteInterval, type TaskTrials } from '../../core/stats/suite-interval.ts';
import { zeroEventsUpper } from '../../core/stats/wilson.ts';
import type { Task } from '../../core/task.ts';
import { HARD_VIOLATIONS, type Trial, type TrialOutcome, type ViolationRule } from '../../core/trial.ts';

/** The figures of a report: what trials come to, before any gate looks at them. */
export type SuiteFigures = Pick<
  SuiteReport,
  | 'tasks'
  | 'outcomes'
  | 'pass_rate'
  | 'pass_hat_k'
  | 'harms'
  | 'harm_rate'
  | 'violations'
  | 'mean_steps'
  | 'mean_cost_usd'
>;

/**
 * Figures of a run. Rates count every task once and leave out errored and ungraded trials; pass^k for k = 1 up to the
 * trials a task. Means leave out errored trials.
 */
export function summarise(
  tasks: readonly Pick<Task, 'id' | 'tags'>[],
  trials: readonly Trial[],
  k: number,
): SuiteFigures {
  const summaries = tasks.map((task) => summariseTask(task, trials));
  const verdicts: TaskTrials[] = tasks.map((task) =>
    trials.filter((trial) => trial.task === task.id).map(verdictOf),
  );
  const ran = trials.filter((trial) => trial.outcome !== 'errored');
  return {
    tasks: summaries,
    outcomes: countOutcomes(trials),
    pass_rate: suiteInterval(verdicts),
    pass_hat_k: Array.from({ length: k }, (_, index) => ({
      k: index + 1,
      stat: suiteInterval(verdicts, index + 1),
    })),
    harms: trials.reduce((total, trial) => total + trial.harms.length, 0),
    harm_rate: harmRate(tasks, trials),
    violations: countViolations(trials),
    mean_steps: meanByTask(ran, (trial) => trial.steps),
    mean_cost_usd: meanByTask(ran, (trial) => trial.cost_usd),
  };
}

/** Yes, no, or neither: only a graded trial takes part in a rate. */
function verdictOf({ outcome }: Trial): boolean | null {
  if (outcome === 'passed') return true;
  return outcome === 'failed' ? false : null;
}

function summariseTask(task: Pick<Task, 'id' | 'tags'>, trials: readonly Trial[]): TaskSummary {
  const counts = countOutcomes(trials.filter((trial) => trial.task === task.id));
  return {
    task: task.id,
    tags: task.tags,
    counts,
    n: counts.passed + counts.failed,
    passed: counts.passed,
  };
}

function countOutcomes(trials: readonly Trial[]): Record<TrialOutcome, number> {
  const counts = { passed: 0, failed: 0, errored: 0, ungraded: 0 };
  for (const { outcome } of trials) counts[outcome] += 1;
  return counts;
}

/** Of a trial that errored only acts count: what it left undone is not the agent's doing. */
function countViolations(trials: readonly Trial[]): Partial<Record<ViolationRule, number>> {
  const counts: Partial<Record<ViolationRule, number>> = {};
  for (const { outcome, violations } of trials) {
    for (const { rule } of violations) {
      if (outcome === 'errored' && !HARD_VIOLATIONS.includes(rule)) continue;
      counts[rule] = (counts[rule] ?? 0) + 1;
    }
  }
  return counts;
}

/** Of trials that did anything; with no harm among them, the upper bound that the silence leaves open. */
function harmRate(tasks: readonly Pick<Task, 'id'>[], trials: readonly Trial[]): Stat {
  const seen = trials.filter((trial) => trial.steps > 0 || trial.outcome !== 'errored');
  if (!seen.some((trial) => trial.harms.length > 0)) return zeroEventsUpper(seen.length);
  const {
    nEff: _,
    trials: __,
    ...rate
  } = suiteInterval(
    tasks.map(({ id }) => seen.filter((trial) => trial.task === id).map((trial) => trial.harms.length > 0)),
  );
  return rate;
}

function meanByTask(trials: readonly Trial[], read: (trial: Trial) => number | null): Stat {
  const known = trials.flatMap((trial) => {
    const value = read(trial);
    return value === null ? [] : [{ value, task: trial.task }];
  });
  const mean = clusterSE(
    known.map((one) => one.value),
    known.map((one) => one.task),
  );
  const { clusters: _, seMiller: __, seNaive: ___, ...stat } = mean;
  // Neither steps nor costs can be below nothing.
  const ci = stat.ci === null ? null : { ...stat.ci, low: Math.max(0, stat.ci.low) };
  return { ...stat, ci, nMissing: trials.length - known.length };
}
