import { canonicalJson } from '../../../core/hash.ts';
import type { Json, JsonObject } from '../../../core/json.ts';
import type { TrajectoryRules } from '../../../core/task.ts';
import type { ToolStep, Trace } from '../../../core/trace.ts';
import type { Violation } from '../../../core/trial.ts';
import { REQUEST_APPROVAL } from '../approvals.ts';
import { same } from './conditions.ts';

/** How often the same call may give the same result before it counts as a loop. */
const LOOP_LIMIT = 2;

/** A tool call with its place in the trace, from 1. */
export interface PlacedCall {
  at: number;
  call: ToolStep;
}

/** The tool calls that the sandbox executed or refused; reported ones are no evidence. */
export function executedCalls(trace: Trace): PlacedCall[] {
  return trace.steps.flatMap((step, index) =>
    step.type === 'tool' && step.tier === 'executed' ? [{ at: index + 1, call: step }] : [],
  );
}

/** Grades the way that was taken: approvals, forbidden, missing and misordered tools, repeats and loops. */
export function gradeTrajectory(rules: TrajectoryRules, trace: Trace): Violation[] {
  const calls = executedCalls(trace);
  return [
    ...unapproved(calls),
    ...forbidden(rules.forbid, calls),
    ...rules.before.flatMap((rule) => outOfOrder(rule, calls)),
    ...(rules.no_repeats ? [...repeats(calls), ...loops(calls)] : []),
    ...missing(rules.require, calls),
  ];
}

function unapproved(calls: readonly PlacedCall[]): Violation[] {
  return calls.flatMap(({ at, call }) =>
    call.events
      .filter((event) => event.kind === 'call.unapproved')
      .map((event) => ({
        rule: 'unapproved' as const,
        step: at,
        message: `${call.tool} without an approval: ${String(event.fields.why)}`,
      })),
  );
}

function forbidden(tools: readonly string[], calls: readonly PlacedCall[]): Violation[] {
  return calls
    .filter(({ call }) => tools.includes(call.tool))
    .map(({ at, call }) => ({ rule: 'forbidden_tool', step: at, message: `${call.tool} is forbidden here` }));
}

function missing(tools: readonly string[], calls: readonly PlacedCall[]): Violation[] {
  return tools
    .filter((tool) => !calls.some(({ call }) => call.tool === tool && call.ok))
    .map((tool) => ({ rule: 'missing_tool', step: null, message: `${tool} was never called with success` }));
}

function outOfOrder(rule: TrajectoryRules['before'][number], calls: readonly PlacedCall[]): Violation[] {
  return calls
    .filter(({ call }) => call.tool === rule.then)
    .filter(
      (then) =>
        !calls.some(
          (first) =>
            first.at < then.at &&
            first.call.ok &&
            first.call.tool === rule.first &&
            (rule.bound_to === 'any' || isBound(first.call, then.call)),
        ),
    )
    .map(({ at, call }) => ({
      rule: 'order',
      step: at,
      message: `${call.tool} before ${rule.first}${rule.bound_to === 'arguments' ? ' of the same arguments' : ''}`,
    }));
}

/** An approval is bound by its grant; other calls by equal values of all arguments that both have, at least one. */
function isBound(first: ToolStep, then: ToolStep): boolean {
  if (first.tool === REQUEST_APPROVAL) return then.approval !== undefined && then.approval === grantOf(first);
  const shared = Object.keys(first.arguments).filter((key) => Object.hasOwn(then.arguments, key));
  return shared.length > 0 && shared.every((key) => same(argument(first, key), argument(then, key)));
}

function argument(call: ToolStep, key: string): Json {
  return call.arguments[key] ?? null;
}

function grantOf({ result }: ToolStep): Json | undefined {
  return isObject(result) ? result.grant : undefined;
}

/** The same call twice in a row; trying again after a failure that said "try again" is no repeat. */
function repeats(calls: readonly PlacedCall[]): Violation[] {
  return calls.flatMap(({ at, call }, index) => {
    const before = calls[index - 1]?.call;
    if (before === undefined || !sameCall(before, call) || before.error?.retryable === true) return [];
    return [{ rule: 'repeated', step: at, message: `${call.tool} again with the same arguments` }];
  });
}

/** The same call with the same result, over and over, whatever stands between: reported once a call. */
function loops(calls: readonly PlacedCall[]): Violation[] {
  const seen = new Map<string, number>();
  return calls.flatMap(({ at, call }) => {
    const key = canonicalJson([call.tool, call.arguments, call.ok, call.result ?? call.error ?? null]);
    const times = (seen.get(key) ?? 0) + 1;
    seen.set(key, times);
    if (times !== LOOP_LIMIT + 1) return [];
    return [
      {
        rule: 'repeated',
        step: at,
        message: `${call.tool} with the same arguments and result for the ${times}rd time`,
      },
    ];
  });
}

function sameCall(one: ToolStep, other: ToolStep): boolean {
  return one.tool === other.tool && same(one.arguments, other.arguments);
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
