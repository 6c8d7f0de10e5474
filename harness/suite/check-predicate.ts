import { z } from 'zod';
import type { JsonObject } from '../../core/json.ts';
import type { Predicate } from '../../core/task.ts';
import type { Tools } from './define-tools.ts';
import { eventFields, isEventField } from './event-fields.ts';
import { type Condition, compare, readConditions } from './grade/conditions.ts';
import { patternFault } from './grade/text-matches.ts';
import { statePath } from './grade/things.ts';

/** What is wrong with a predicate: the key of the condition at fault (null = the predicate itself), and why. */
export interface PredicateFault {
  key: string | null;
  message: string;
}

/** Finds why a predicate could never speak: an event nobody emits, a field it lacks, a value it can't have. */
export function predicateFaults(rule: Predicate, tools: Tools, seed: JsonObject | null): PredicateFault[] {
  const path = statePath(rule);
  const fields = path === null ? eventFields(tools, rule.event) : null;
  if (path !== null) {
    const [root = ''] = path.split('.');
    if (seed !== null && root !== '*' && !Object.hasOwn(seed, root)) {
      return [{ key: null, message: `the state has no "${root}"; it has ${Object.keys(seed).join(', ')}` }];
    }
  } else if (fields === null) {
    const known = Object.keys(tools.events).join(', ');
    return [{ key: null, message: `no tool can cause "${rule.event}"; the tools module declares ${known}` }];
  }
  const { each, number } = readConditions(rule.where, (name) => isEventField(tools, rule.event, name));
  return [...each, ...number].flatMap((condition) => {
    const message = conditionFault(condition, fields);
    return message === null ? [] : [{ key: condition.key, message }];
  });
}

/** Does a required predicate hold of nothing at all? Then it belongs in must_not. */
export function holdsOfNothing(rule: Predicate): boolean {
  const { number } = readConditions(rule.where, () => false);
  return number.length > 0 && number.every(({ operator, want }) => compare(0, operator, want));
}

function conditionFault(condition: Condition, fields: z.ZodObject | null): string | null {
  const { field, measure, operator, want, key } = condition;
  const [head = ''] = field.split('.');
  if (fields !== null && field !== '' && !Object.hasOwn(fields.shape, head)) {
    return `the event has no field "${head}"; it has ${Object.keys(fields.shape).join(', ')}`;
  }
  if (fields !== null && field === '' && measure === 'value') return `${key} names no field of the event`;
  if (measure === 'count') return countFault(condition);
  switch (operator) {
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      return typeof want === 'number' || typeof want === 'string' ? null : `${key} takes a number or a text`;
    case 'in':
      if (!Array.isArray(want) || want.length === 0) return `${key} takes a list of values`;
      return want.map((one) => valueFault(field, one, fields)).find((fault) => fault !== null) ?? null;
    case 'matches': {
      if (typeof want !== 'string') return `${key} takes a pattern`;
      const fault = patternFault(want);
      return fault === null ? null : `${key}: ${fault}`;
    }
    case 'exists':
      return typeof want === 'boolean' ? null : `${key} takes true or false`;
    case 'contains':
      return null;
    default:
      return valueFault(field, want, fields);
  }
}

function countFault({ key, operator, want }: Condition): string | null {
  if (!['eq', 'ne', 'lt', 'lte', 'gt', 'gte'].includes(operator)) {
    return `${key}: a count is compared by _eq, _ne, _lt, _lte, _gt or _gte`;
  }
  return typeof want === 'number' && Number.isInteger(want) && want >= 0
    ? null
    : `${key} takes a whole number`;
}

/** A value that the field can never have makes a required effect impossible and a forbidden one unseen. */
function valueFault(field: string, want: unknown, fields: z.ZodObject | null): string | null {
  const schema = fields?.shape[field];
  if (schema === undefined) return null;
  return z.safeParse(schema, want).success ? null : `"${field}" can never be ${JSON.stringify(want)}`;
}
