import { StatsInputError } from '../../../core/stats/stat.ts';

/** Runs a function that may refuse its input; undefined where it did. */
export function unlessRefused<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch (error) {
    if (error instanceof StatsInputError) return undefined;
    throw error;
  }
}

/** Paths of every number in a result that JSON could not hold. */
export function unspeakable(value: unknown, path = 'result'): string[] {
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [`${path} = ${value}`];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => unspeakable(inner, `${path}.${key}`));
}
