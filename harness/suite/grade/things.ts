import type { Json, JsonObject } from '../../../core/json.ts';
import type { Predicate } from '../../../core/task.ts';
import type { Trace, TraceEvent } from '../../../core/trace.ts';
import { childOf } from './conditions.ts';

/** Something that a predicate looks at: an event with its step, or a place of the end state. */
export interface Thing {
  value: Json;
  event: TraceEvent;
  /** Step of the trace, from 1; null for the end state. */
  step: number | null;
}

const STATE = 'state.';

/** The path that a predicate names in the end state, or null where it names an event. */
export function statePath(rule: Predicate): string | null {
  return rule.event.startsWith(STATE) ? rule.event.slice(STATE.length) : null;
}

/** Everything of the kind that a predicate names, before its conditions: only what the sandbox executed counts. */
export function thingsNamed(rule: Predicate, trace: Trace, endState: JsonObject): Thing[] {
  const path = statePath(rule);
  if (path !== null) {
    return nodesAt(endState, path.split('.')).map((value) => ({
      value,
      event: { kind: rule.event, fields: { value } },
      step: null,
    }));
  }
  return trace.steps.flatMap((step, index) => {
    if (step.type !== 'tool' || step.tier !== 'executed') return [];
    return step.events
      .filter((event) => event.kind === rule.event)
      .map((event) => ({ value: event.fields, event, step: index + 1 }));
  });
}

/** The values at a path; `*` stands for every key, and a path that ends at a list names its rows. */
function nodesAt(state: Json, path: readonly string[]): Json[] {
  const ends = path.reduce<Json[]>((at, key) => at.flatMap((value) => childrenOf(value, key)), [state]);
  return ends.flatMap((value) => (Array.isArray(value) ? value : [value]));
}

function childrenOf(value: Json, key: string): Json[] {
  if (key === '*') return typeof value === 'object' && value !== null ? Object.values(value) : [];
  const child = childOf(value, key);
  return child === undefined ? [] : [child];
}
