import type { Json, JsonObject } from '../../../core/json.ts';
import { childOf, same } from './conditions.ts';

/** One difference between two states: a path whose last segment may be `[+n]` (rows added) or `[-n]` (rows gone). */
export interface Difference {
  path: string[];
  text: string;
}

/** Every place where two states differ, as deep as the difference stands. Lists are compared row by row. */
export function differences(before: Json, after: Json, path: string[] = []): Difference[] {
  if (same(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after)) return listDifferences(before, after, path);
  if (isObject(before) && isObject(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return keys.flatMap((key) => {
      const [old, now] = [childOf(before, key), childOf(after, key)];
      if (old !== undefined && now !== undefined) return differences(old, now, [...path, key]);
      return [difference([...path, key])];
    });
  }
  return [difference(path)];
}

function listDifferences(before: Json[], after: Json[], path: string[]): Difference[] {
  const rows = before.flatMap((row, index) => {
    const now = after[index];
    return now === undefined ? [] : differences(row, now, [...path, String(index)]);
  });
  const grown = after.length - before.length;
  return grown === 0 ? rows : [...rows, difference([...path, grown > 0 ? `[+${grown}]` : `[${grown}]`])];
}

function difference(path: string[]): Difference {
  return { path, text: path.join('.').replaceAll('.[', '[') };
}

/**
 * Does a `may_change` path allow a difference? It allows its place and all below; `*` stands for any one key,
 * `refunds[+2]` for up to two added rows, `refunds[+]` for any number.
 */
export function allows(allowed: string, { path }: Difference): boolean {
  const wanted = segments(allowed);
  return (
    wanted.length <= path.length &&
    wanted.every((segment, index) => segmentAllows(segment, path[index] ?? ''))
  );
}

/** `refunds[+1]` as `refunds`, `[+1]`. */
export function segments(path: string): string[] {
  return path
    .replaceAll('[', '.[')
    .split('.')
    .filter((segment) => segment !== '');
}

function segmentAllows(wanted: string, found: string): boolean {
  const limit = /^\[\+(\d*)\]$/.exec(wanted);
  const added = /^\[\+(\d+)\]$/.exec(found);
  if (limit !== null) return added !== null && (limit[1] === '' || Number(added[1]) <= Number(limit[1]));
  return wanted === found || (wanted === '*' && !found.startsWith('['));
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
