import { canonicalJson } from '../../../core/hash.ts';
import type { Json } from '../../../core/json.ts';
import type { Conditions } from '../../../core/task.ts';
import { textMatches } from './text-matches.ts';

export const OPERATORS = [
  'eq',
  'ne',
  'lt',
  'lte',
  'gt',
  'gte',
  'in',
  'contains',
  'matches',
  'exists',
] as const;
export type Operator = (typeof OPERATORS)[number];

/** One condition as it is checked: `amount_lte: 129` is field `amount`, operator `lte`, wanted 129. */
export interface Condition {
  key: string;
  /** Path of the field from the thing, split at dots; empty = the thing itself. */
  field: string;
  /** `count`: how many entries the field has, or (with no field) how many things match. */
  measure: 'value' | 'count';
  operator: Operator;
  want: Json;
}

/** Is this the whole name of a field, so that a suffix-like ending is part of the name? */
export type IsField = (name: string) => boolean;

/** Reads one key of a `where`: `<field>[_count][_<operator>]`; no operator = equal; a known field's name is never cut. */
export function readCondition(key: string, want: Json, isField: IsField): Condition {
  if (isField(key)) return { key, field: key, measure: 'value', operator: 'eq', want };
  const operator = OPERATORS.find((one) => key.endsWith(`_${one}`));
  const rest = operator === undefined ? key : key.slice(0, -operator.length - 1);
  const counted = !isField(rest) && (rest === '_count' || rest.endsWith('_count'));
  return {
    key,
    field: counted ? rest.slice(0, -'_count'.length) : rest,
    measure: counted ? 'count' : 'value',
    operator: operator ?? 'eq',
    want,
  };
}

/** The conditions on each thing, and those on how many things match (`_count`, `_count_lte` …). */
export function readConditions(
  where: Conditions,
  isField: IsField,
): { each: Condition[]; number: Condition[] } {
  const all = Object.entries(where).map(([key, want]) => readCondition(key, want, isField));
  const ofNumber = (one: Condition) => one.measure === 'count' && one.field === '';
  return { each: all.filter((one) => !ofNumber(one)), number: all.filter(ofNumber) };
}

/** Do all conditions of a `where` hold of one thing? Names of fields are those that the thing has. */
export function matches(where: Conditions, thing: Json): boolean {
  const { each } = readConditions(where, (name) => ownKey(thing, name));
  return each.every((condition) => holds(condition, thing));
}

/**
 * Does a condition hold of one thing? A field that isn't there satisfies only `_ne` and `_exists: false`.
 * Numbers compare by value (129 = 129.0), never with texts; `_lt` and its kin take two numbers or two texts.
 * @throws TextMatchTimeout where a pattern takes too long.
 */
export function holds({ field, measure, operator, want }: Condition, thing: Json): boolean {
  const found = valueAt(thing, field);
  const value = measure === 'count' ? sizeOf(found) : found;
  return compare(value, operator, want);
}

/** Applies an operator to a value that may be absent. */
export function compare(value: Json | undefined, operator: Operator, want: Json): boolean {
  if (operator === 'exists') return (value !== undefined) === (want === true);
  if (operator === 'ne') return value === undefined || !same(value, want);
  if (value === undefined) return false;
  switch (operator) {
    case 'eq':
      return same(value, want);
    case 'in':
      return Array.isArray(want) && want.some((one) => same(value, one));
    case 'contains':
      return contains(value, want);
    case 'matches':
      return typeof value === 'string' && typeof want === 'string' && textMatches(value, want);
    default:
      return ordered(value, operator, want);
  }
}

function ordered(value: Json, operator: 'lt' | 'lte' | 'gt' | 'gte', want: Json): boolean {
  const order = orderOf(value, want);
  if (order === null) return false;
  if (operator === 'lt') return order < 0;
  if (operator === 'lte') return order <= 0;
  return operator === 'gt' ? order > 0 : order >= 0;
}

/** −1, 0 or 1 for two numbers or two texts (by code unit, so that ISO dates sort); null for anything else. */
function orderOf(value: Json, want: Json): number | null {
  if (typeof value === 'number' && typeof want === 'number') return Math.sign(value - want);
  if (typeof value === 'string' && typeof want === 'string') return value < want ? -1 : value > want ? 1 : 0;
  return null;
}

function contains(value: Json, want: Json): boolean {
  if (typeof value === 'string') return typeof want === 'string' && value.includes(want);
  return Array.isArray(value) && value.some((one) => same(one, want));
}

/** Equality of JSON values: key order and the writing of numbers make no difference. */
export function same(one: Json, other: Json): boolean {
  return canonicalJson(one) === canonicalJson(other);
}

function sizeOf(value: Json | undefined): number | undefined {
  if (Array.isArray(value)) return value.length;
  return typeof value === 'object' && value !== null ? Object.keys(value).length : undefined;
}

/** The value at a dotted path; undefined where it leads nowhere. */
export function valueAt(thing: Json | undefined, path: string): Json | undefined {
  if (path === '') return thing;
  if (thing !== undefined && ownKey(thing, path)) return childOf(thing, path);
  return path.split('.').reduce<Json | undefined>((at, key) => childOf(at, key), thing);
}

/** One step down: an own key of an object, an index of a list. */
export function childOf(value: Json | undefined, key: string): Json | undefined {
  if (Array.isArray(value)) return /^\d+$/.test(key) ? value[Number(key)] : undefined;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return value[key];
}

function ownKey(thing: Json, name: string): boolean {
  return typeof thing === 'object' && thing !== null && !Array.isArray(thing) && Object.hasOwn(thing, name);
}
