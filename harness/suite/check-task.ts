import type { z } from 'zod';
import type { JsonObject } from '../../core/json.ts';
import { Problem } from '../../core/problem.ts';
import type { Suite } from '../../core/suite.ts';
import type { Task } from '../../core/task.ts';
import { REQUEST_APPROVAL } from './approvals.ts';
import { holdsOfNothing, predicateFaults } from './check-predicate.ts';
import type { Tools } from './define-tools.ts';
import { readConditions } from './grade/conditions.ts';
import { FINAL } from './grade/judged.ts';
import { segments } from './grade/state-diff.ts';

type Context = z.core.$RefinementCtx;

/** Checks a suite's names against its tools module; for superRefine, so that faults carry their line. */
export function checkSuite(tools: Tools): (suite: Suite, context: Context) => void {
  return (suite, context) => {
    suite.high_risk.forEach((name, index) => {
      requireTool(tools, name, ['high_risk', index], context);
    });
    const artifacts = [...Object.keys(tools.artifacts), FINAL];
    suite.judges.forEach((use, index) => {
      if (artifacts.includes(use.on)) return;
      const message = `there is no artifact "${use.on}"; there are ${artifacts.join(', ')}`;
      context.addIssue({ code: 'custom', path: ['judges', index, 'on'], message });
    });
  };
}

/**
 * Checks a task against its suite and tools: a check that can never speak is an error before anything runs.
 * @param seedOf the task's seed state; throws a Problem where it can't be read.
 */
export function checkTask(
  suite: Suite,
  tools: Tools,
  seedOf: (task: Task) => JsonObject,
): (task: Task, context: Context) => void {
  return (task, context) => {
    const add = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message });
    const seed = readSeedSafely(task, seedOf, (message) => add(['seed_state'], message));
    if (isVacuous(task)) add([], 'the task checks nothing: say what must or must_not happen');
    if (task.max_steps > suite.limits.steps) {
      add(['max_steps'], `above limits.steps of the suite (${suite.limits.steps}): it could never be broken`);
    }
    for (const list of ['must', 'must_not'] as const) {
      task[list].forEach((rule, index) => {
        for (const fault of predicateFaults(rule, tools, seed)) {
          add([list, index, rule.event, ...(fault.key === null ? [] : [fault.key])], fault.message);
        }
      });
    }
    task.must.forEach((rule, index) => {
      if (holdsOfNothing(rule)) add(['must', index], 'holds where nothing happened; say it in must_not');
    });
    checkTrajectory(task, tools, context);
    checkSandboxRules(task, tools, context);
    checkMayChange(task, seed, context);
  };
}

/** The default rule against repeats alone is no check of the task: every idle agent keeps it. */
function isVacuous({ must, must_not, may_change, trajectory }: Task): boolean {
  const { require, forbid, before } = trajectory;
  const rules = must.length + must_not.length + require.length + forbid.length + before.length;
  return rules === 0 && may_change === undefined;
}

function checkTrajectory({ trajectory }: Task, tools: Tools, context: Context): void {
  for (const list of ['require', 'forbid'] as const) {
    trajectory[list].forEach((name, index) => {
      requireTool(tools, name, ['trajectory', list, index], context, true);
    });
  }
  trajectory.before.forEach((rule, index) => {
    requireTool(tools, rule.first, ['trajectory', 'before', index, 'first'], context, true);
    requireTool(tools, rule.then, ['trajectory', 'before', index, 'then'], context, true);
  });
}

function checkSandboxRules(task: Task, tools: Tools, context: Context): void {
  task.faults.forEach((fault, index) => {
    requireTool(tools, fault.tool, ['faults', index, 'tool'], context);
  });
  task.approvals.forEach((rule, index) => {
    if (!requireTool(tools, rule.tool, ['approvals', index, 'tool'], context)) return;
    const { number } = readConditions(rule.where, () => false);
    for (const { key } of number) {
      const path = ['approvals', index, 'where', key];
      context.addIssue({ code: 'custom', path, message: 'an approval looks at one call: nothing to count' });
    }
  });
}

function checkMayChange({ may_change }: Task, seed: JsonObject | null, context: Context): void {
  if (seed === null) return;
  may_change?.forEach((path, index) => {
    const [root = ''] = segments(path);
    if (root === '*' || Object.hasOwn(seed, root)) return;
    const message = `the state has no "${root}"; it has ${Object.keys(seed).join(', ')}`;
    context.addIssue({ code: 'custom', path: ['may_change', index], message });
  });
}

function requireTool(
  tools: Tools,
  name: string,
  path: (string | number)[],
  context: Context,
  orApproval = false,
): boolean {
  if (Object.hasOwn(tools.tools, name) || (orApproval && name === REQUEST_APPROVAL)) return true;
  const message = `there is no tool "${name}"; there are ${Object.keys(tools.tools).join(', ')}`;
  context.addIssue({ code: 'custom', path, message });
  return false;
}

function readSeedSafely(
  task: Task,
  seedOf: (task: Task) => JsonObject,
  add: (message: string) => void,
): JsonObject | null {
  try {
    return seedOf(task);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    add(error.message);
    return null;
  }
}
