import type { Criterion } from './rubric.ts';
import { levelValues } from './rubric.ts';
import { passes } from './scale.ts';

/**
 * How good each level of a criterion is, 0 for the worst, or null where nothing says which level is better (no pass
 * rule on an unordered scale) and for pairs, where it depends on the side.
 */
export function levelRanks(
  criterion: Pick<Criterion, 'scale' | 'levels' | 'pass'>,
): ReadonlyMap<string, number> | null {
  const { scale, pass } = criterion;
  const values = levelValues(criterion);
  if (scale === 'pairwise') return null;
  if (scale === 'ordinal' && (pass === undefined || 'at_least' in pass)) return ranked(values);
  if (scale === 'ordinal' && pass !== undefined && 'at_most' in pass) return ranked(values.toReversed());
  if (pass === undefined) return null;
  return new Map(values.map((value) => [value, passes(value, pass) ? 1 : 0]));
}

/** The same for pairs, seen from one of the two answers. */
export function sideRanks(side: 'a' | 'b'): ReadonlyMap<string, number> {
  return ranked([side === 'a' ? 'b' : 'a', 'tie', side]);
}

function ranked(values: readonly string[]): ReadonlyMap<string, number> {
  return new Map(values.map((value, rank) => [value, rank]));
}
