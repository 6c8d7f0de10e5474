import type { Gold } from './label-set.ts';
import type { Criterion } from './rubric.ts';
import { levelValues } from './rubric.ts';

/** One person's standing answer on a criterion; null value = does not apply. */
export interface Answer {
  annotator: string;
  value: string | null;
}

/**
 * The gold that people's answers settle on, or null where they don't.
 * Ordinal: the median level; an even count whose middle two differ settles nothing. Other scales: more than half
 * agree, or one answer leads all others alone. "Does not apply" answers take no part unless all say so (then null).
 */
export function goldOf(
  answers: readonly Answer[],
  criterion: Pick<Criterion, 'scale' | 'levels'>,
): Gold | null {
  const values = answers.flatMap((answer) => (answer.value === null ? [] : [answer.value]));
  const [first] = values;
  if (first === undefined) return null;
  if (values.length === 1) return { value: first, from: 'single' };
  if (values.every((value) => value === first)) return { value: first, from: 'unanimous' };
  return criterion.scale === 'ordinal' ? median(values, levelValues(criterion)) : plurality(values);
}

function median(values: readonly string[], order: readonly string[]): Gold | null {
  const sorted = [...values].sort((one, other) => order.indexOf(one) - order.indexOf(other));
  const low = sorted[Math.floor((sorted.length - 1) / 2)];
  const high = sorted[Math.floor(sorted.length / 2)];
  return low !== undefined && low === high ? { value: low, from: 'median' } : null;
}

function plurality(values: readonly string[]): Gold | null {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const ranked = [...counts].sort((one, other) => other[1] - one[1]);
  const [leader, second] = ranked;
  if (leader === undefined || (second !== undefined && second[1] === leader[1])) return null;
  return { value: leader[0], from: 'majority' };
}
