import { requirePositive, requireSameLength } from './input.ts';
import { type MeanT, meanT } from './mean-t.ts';
import { at } from './table.ts';

export interface Leniency extends MeanT {
  /** The mean as a share of the scale's range; null without a range. */
  shareOfRange: number | null;
}

/**
 * Does the judge score higher than humans on the same items? Mean of judge − human with a paired t interval, in score
 * units. For pass or fail use pairedDifference of the table, whose p is McNemar's.
 */
export function leniency(
  judge: readonly number[],
  human: readonly number[],
  options: { range?: number; level?: number } = {},
): Leniency {
  requireSameLength(judge, human);
  if (options.range !== undefined) requirePositive([options.range], 'range');
  const errors = meanT(
    judge.map((score, item) => score - at(human, item)),
    options.level,
  );
  const known = errors.value !== null && options.range !== undefined;
  return { ...errors, shareOfRange: known ? (errors.value ?? 0) / (options.range ?? 1) : null };
}
