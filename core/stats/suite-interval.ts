import { normalMultiplier, tQuantile } from './distribution.ts';
import { estimate, interval } from './estimate.ts';
import { requireCount, requireFraction, requireThat } from './input.ts';
import { mean, meanError } from './moments.ts';
import { passHatK } from './pass-k.ts';
import { type Interval, type Stat, undefinedStat } from './stat.ts';
import { wilsonEnds } from './wilson.ts';

/** One task's trials: passed (1, true), failed (0, false), or null where the trial errored. */
export type TaskTrials = readonly (0 | 1 | boolean | number | null)[];

export interface SuiteStat extends Stat {
  /** The size of a simple sample that would be as precise. */
  nEff: number | null;
  /** Trials that counted. */
  trials: number;
}

/**
 * A suite's pass^k (k = 1: pass rate): the mean over tasks of pass^k, every task counting once, with Wilson's formula at
 * the effective sample size and a t multiplier. The default of every suite rate: it keeps its level with few tasks and
 * rates near 1, where t and bootstrap intervals by task do not. n counts tasks. Assumes independent tasks.
 * Errored trials are left out and counted missing; a task without any trial is left out with a note.
 * K_EXCEEDS_TRIALS where a task has fewer than k; one task: insufficient, TOO_FEW_TASKS, interval of that task only.
 * Source: Korn & Graubard 1998; Wilson 1927.
 */
export function suiteInterval(trials: readonly TaskTrials[], k = 1, level = 0.95): SuiteStat {
  requireFraction(level, 'level');
  const { tasks, nMissing, notes } = taskCounts(trials);
  const total = tasks.reduce((sum, task) => sum + task.n, 0);
  const none = { nEff: null, trials: total };
  const [first] = tasks;
  if (first === undefined) return { ...undefinedStat('EMPTY', 0, nMissing, notes), ...none };
  const values = passHats(tasks, k);
  if (values === null)
    return { ...undefinedStat('K_EXCEEDS_TRIALS', tasks.length, nMissing, notes), ...none };
  const value = mean(values);
  if (tasks.length === 1) {
    const ci = withinTask(first, k, level);
    const single = {
      status: 'insufficient',
      reason: 'TOO_FEW_TASKS',
      notes: [...notes, 'this task only'],
    } as const;
    return { ...estimate({ value, ci, n: 1, nMissing, ...single, notes: [...single.notes] }), ...none };
  }
  const se = meanError(values);
  const nEff = effectiveSize(value, se, tasks.length, total);
  const ends = wilsonEnds(value, nEff, tQuantile((1 + level) / 2, tasks.length - 1));
  const ci = interval(ends.low, ends.high, level, 'wilson, t by task at the effective size');
  return { ...estimate({ value, se, ci, n: tasks.length, nMissing, notes }), nEff, trials: total };
}

export interface TaskCount {
  /** Trials that counted, and how many of them passed. */
  n: number;
  c: number;
}

/** Counts trials by task, leaving out errored trials and tasks that have no other. */
export function taskCounts(trials: readonly TaskTrials[]): {
  tasks: TaskCount[];
  nMissing: number;
  notes: string[];
} {
  const counted = trials.map((task) => {
    const outcomes = task.filter((trial) => trial !== null).map(Number);
    requireThat(
      outcomes.every((outcome) => outcome === 0 || outcome === 1),
      'a trial is 0, 1 or null',
    );
    return { n: outcomes.length, c: outcomes.filter((outcome) => outcome === 1).length };
  });
  const tasks = counted.filter(({ n }) => n > 0);
  const nMissing =
    trials.reduce((sum, task) => sum + task.length, 0) - tasks.reduce((sum, { n }) => sum + n, 0);
  const empty = counted.length - tasks.length;
  return {
    tasks,
    nMissing,
    notes: empty > 0 ? [`${empty} tasks have no trial that counts and are left out`] : [],
  };
}

/** pass^k of each task; null where a task has fewer than k trials. */
export function passHats(tasks: readonly TaskCount[], k: number): number[] | null {
  requireCount(k, 'k', 1);
  const values = tasks.map(({ n, c }) => passHatK(n, c, k).value);
  return values.every((value) => value !== null) ? values : null;
}

function effectiveSize(m: number, se: number, tasks: number, trials: number): number {
  if (se <= 0 || m <= 0 || m >= 1) return tasks;
  return Math.min(trials, Math.max(tasks, (m * (1 - m)) / (se * se)));
}

/** pass^k = p^k within a task, so the ends of p raised to k are its ends. */
function withinTask({ n, c }: TaskCount, k: number, level: number): Interval | null {
  const ends = wilsonEnds(c / n, n, normalMultiplier(level));
  return interval(ends.low ** k, ends.high ** k, level, 'wilson, this task only');
}
