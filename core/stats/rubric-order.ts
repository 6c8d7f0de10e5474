import { contingencyTable, inferCategories } from './contingency.ts';
import { requirePositive } from './input.ts';
import { cohenKappa, type KappaResult } from './kappa.ts';
import type { MeanT } from './mean-t.ts';
import { pairedTask } from './paired-task.ts';
import { type SignFlip, signFlip } from './sign-flip.ts';
import { at } from './table.ts';

export interface RubricOrder {
  /** Mean of descending − ascending as a share of the range, paired t. */
  effect: MeanT;
  test: SignFlip;
  /** Quadratic κ between the orders, and between two runs of the same order. */
  orderStability: KappaResult;
  repeatStability: KappaResult | null;
}

/**
 * Do scores depend on the order in which the rubric lists its levels? The same items scored with levels ascending and
 * descending. Compare orderStability with repeatStability: what they share is noise. `range` is the scale's.
 */
export function rubricOrder(
  ascending: readonly number[],
  descending: readonly number[],
  options: {
    range: number;
    seed: number;
    levels?: readonly number[];
    repeat?: readonly number[];
    level?: number;
  },
): RubricOrder {
  const { range, seed, repeat, level } = options;
  requirePositive([range], 'range');
  const shares = (scores: readonly number[]) => scores.map((score) => score / range);
  const effect = pairedTask(shares(ascending), shares(descending), level);
  const test = signFlip(
    descending.map((score, item) => (score - at(ascending, item)) / range),
    { seed },
  );
  const levels = options.levels ?? inferCategories([...ascending, ...descending, ...(repeat ?? [])]);
  const stability = (other: readonly number[]) => {
    const { table, nMissing } = contingencyTable(ascending, other, levels);
    return cohenKappa(table, { weights: 'quadratic', nMissing, ...(level !== undefined && { level }) });
  };
  const repeatStability = repeat === undefined ? null : stability(repeat);
  return { effect, test, orderStability: stability(descending), repeatStability };
}
