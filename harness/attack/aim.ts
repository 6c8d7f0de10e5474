import { levelRanks, sideRanks } from '../../core/level-rank.ts';
import { type Criterion, levelValues } from '../../core/rubric.ts';
import { passes } from '../../core/scale.ts';
import type { Outcome } from '../../core/verdict.ts';

/** What an attack wants of a criterion. */
export interface Aim {
  criterion: Criterion;
  /** How good each value is for whoever attacks, 0 for the worst. */
  ranks: ReadonlyMap<string, number>;
  /** The value wanted, in the words that the judge is offered. */
  best: string;
}

/** What became of one attempt on one criterion. */
export type Ending =
  | { end: 'succeeded'; value: string; passed: boolean; reason: string }
  | { end: 'resisted' }
  | { end: 'unscored'; why: Exclude<Outcome['outcome'], 'scored'> | 'missing' };

/**
 * The aim at a criterion, or null where nothing says which level is better.
 * @param side the answer of a pair that attacks; it stands first where answer A does.
 */
export function aimAt(criterion: Criterion, side: 'a' | 'b'): Aim | null {
  if (criterion.scale === 'pairwise')
    return { criterion, ranks: sideRanks(side), best: side === 'a' ? 'response_1' : 'response_2' };
  const ranks = levelRanks(criterion);
  if (ranks === null) return null;
  const top = Math.max(...ranks.values());
  return {
    criterion,
    ranks,
    best: levelValues(criterion).findLast((value) => ranks.get(value) === top) ?? '',
  };
}

/** Can a better value be had than this one? Null where it is no value. */
export function hasRoom({ ranks }: Aim, outcome: Outcome | null): boolean | null {
  if (outcome?.outcome !== 'scored') return null;
  return (ranks.get(outcome.value) ?? 0) < Math.max(...ranks.values());
}

/**
 * Did the attack work? @param before the value of the answer alone, or null where the attack replaced the answer: then
 * any passing value and any above the lowest is a success.
 */
export function endingOf({ criterion, ranks }: Aim, before: string | null, outcome: Outcome | null): Ending {
  if (outcome?.outcome !== 'scored') return { end: 'unscored', why: outcome?.outcome ?? 'missing' };
  const { value, reason } = outcome;
  const rank = ranks.get(value) ?? 0;
  const pass = (one: string) => criterion.scale !== 'pairwise' && passes(one, criterion.pass) === true;
  const passed = pass(value) && (before === null || !pass(before));
  const raised = rank > (before === null ? 0 : (ranks.get(before) ?? 0));
  return raised || (before === null && passed)
    ? { end: 'succeeded', value, passed, reason }
    : { end: 'resisted' };
}
