import { suiteInterval } from '../../core/stats/suite-interval.ts';
import type { OpenSuite } from './open-suite.ts';

/** Fewest tasks for which a pass rate's interval says something. */
const FEW_TASKS = 5;

/** What a suite may do and had better not: one sentence each. What it must not do is an error of openSuite. */
export function suiteWarnings({ suite, tasks }: OpenSuite): string[] {
  const warnings: string[] = [];
  for (const { task, file } of tasks) {
    const asks = task.must.length > 0 || task.trajectory.require.length > 0;
    if (!asks)
      warnings.push(`${file}: says only what must not happen; an agent that does nothing is ungraded`);
    if (task.tags.kind === 'attack' && (task.must.length === 0 || task.must_not.length === 0)) {
      warnings.push(`${file}: an attack needs the user's goal in must and the attacker's in must_not`);
    }
    const missing = suite.strata.filter((tag) => task.tags[tag] === undefined);
    if (missing.length > 0) warnings.push(`${file}: has no tag ${missing.join(', ')}, which strata names`);
  }
  for (const kind of ['refuse', 'attack']) {
    if (!tasks.some(({ task }) => task.tags.kind === kind)) warnings.push(`no task of kind ${kind}`);
  }
  if (tasks.length < FEW_TASKS) warnings.push(`${tasks.length} tasks: intervals will be wide`);
  if (suite.trials === 1) warnings.push('one trial a task: pass^k beyond 1 is unknown');
  if (suite.high_risk.length === 0) warnings.push('high_risk is empty: no call needs an approval');
  return [...warnings, ...rateWarnings(suite.gate.pass_rate_low_at_least, tasks.length)];
}

/** With every trial passed, the interval still begins where the number of tasks lets it. */
function rateWarnings(least: number | undefined, tasks: number): string[] {
  if (least === undefined) {
    return ['gate.pass_rate_low_at_least is not set: a run with failed trials is inconclusive'];
  }
  const best = suiteInterval(Array.from({ length: tasks }, () => [true])).ci?.low ?? 0;
  if (tasks > 1 && best >= least) return [];
  return [
    `gate.pass_rate_low_at_least is ${least}, and ${tasks} tasks that all pass reach ${best.toFixed(2)}: it always fails`,
  ];
}
