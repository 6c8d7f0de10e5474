import type { Criterion } from '../../core/rubric.ts';
import { passes } from '../../core/scale.ts';
import type { PairOrder } from '../../core/verdict.ts';
import type { Chosen } from './standing.ts';

/** One answer that a criterion offers, as the person sees it. */
export interface Choice {
  chosen: Chosen;
  /** The key that chooses it; null where no key is left. */
  key: string | null;
  name: string;
  anchor: string;
}

/** The key of "does not apply". */
export const NOT_APPLICABLE_KEY = 'x';

/**
 * The answers of a criterion in the order of their keys. An ordinal level has its own digit where it is one; two levels
 * of which one passes have 1 for it and 2 for the other; of a pair 1 is left, 2 is right, 0 a tie. The outputs of a
 * pair are called A and B by where they stand, so that a name says nothing of where an output came from.
 */
export function choicesOf(criterion: Criterion, side: PairOrder | null): Choice[] {
  const choices = criterion.scale === 'pairwise' ? pairChoices(criterion, side) : levelChoices(criterion);
  if (criterion.not_applicable !== undefined) {
    choices.push({
      chosen: { act: 'not_applicable' },
      key: NOT_APPLICABLE_KEY,
      name: 'Does not apply',
      anchor: criterion.not_applicable,
    });
  }
  return choices;
}

/** Do two choices say the same? */
export function sameChoice(one: Chosen | null, other: Chosen | null): boolean {
  if (one === null || other === null) return one === other;
  return one.act === 'label' ? other.act === 'label' && one.value === other.value : one.act === other.act;
}

function levelChoices({ levels, scale, pass }: Criterion): Choice[] {
  const own = scale === 'ordinal' && levels.every((level) => /^\d$/.test(level.value));
  const ordered =
    scale === 'binary' && pass !== undefined
      ? levels.toSorted((one, other) => Number(passes(other.value, pass)) - Number(passes(one.value, pass)))
      : levels;
  return ordered.map((level, index) => ({
    chosen: { act: 'label', value: level.value },
    key: own ? level.value : index < 9 ? String(index + 1) : null,
    name: nameOf(level, own),
    anchor: level.anchor ?? '',
  }));
}

function nameOf({ value, name }: Criterion['levels'][number], own: boolean): string {
  if (name === undefined) return value;
  return own || /^\D/.test(value) ? name : `${value} ${name}`;
}

function pairChoices({ levels }: Criterion, side: PairOrder | null): Choice[] {
  const anchor = (value: string) => levels.find((level) => level.value === value)?.anchor ?? '';
  const [left, right] = side === 'ba' ? ['b', 'a'] : ['a', 'b'];
  return [
    { chosen: { act: 'label', value: left }, key: '1', name: 'A', anchor: anchor('a') },
    { chosen: { act: 'label', value: right }, key: '2', name: 'B', anchor: anchor('b') },
    { chosen: { act: 'label', value: 'tie' }, key: '0', name: 'Tie', anchor: anchor('tie') },
  ];
}
