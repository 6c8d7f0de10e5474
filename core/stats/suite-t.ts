import { tQuantile } from './distribution.ts';
import { estimate, interval } from './estimate.ts';
import { requireFraction } from './input.ts';
import { mean, meanError } from './moments.ts';
import { type Stat, undefinedStat } from './stat.ts';
import { passHats, type TaskTrials, taskCounts } from './suite-interval.ts';

/**
 * A suite's pass^k with the t interval by task that papers report, not clipped to [0, 1].
 * For comparison with published figures; it covers as little as 21 % at 5 tasks near a rate of 1: use suiteInterval.
 */
export function suitePassHat(trials: readonly TaskTrials[], k = 1, level = 0.95): Stat {
  requireFraction(level, 'level');
  const { tasks, nMissing, notes } = taskCounts(trials);
  if (tasks.length === 0) return undefinedStat('EMPTY', 0, nMissing, notes);
  const values = passHats(tasks, k);
  const n = tasks.length;
  if (values === null) return undefinedStat('K_EXCEEDS_TRIALS', n, nMissing, notes);
  const value = mean(values);
  if (n < 2) return estimate({ value, n, nMissing, notes, status: 'insufficient', reason: 'TOO_FEW_TASKS' });
  const se = meanError(values);
  const margin = tQuantile((1 + level) / 2, n - 1) * se;
  return estimate({
    value,
    se,
    ci: interval(value - margin, value + margin, level, 't by task'),
    n,
    nMissing,
    notes,
  });
}
