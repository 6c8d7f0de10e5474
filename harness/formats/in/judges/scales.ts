import type { PassRule } from '../../../../core/scale.ts';
import type { ForeignScale, KeyPath, Loss } from '../../foreign-judge.ts';

/** The most levels that one criterion holds. */
const MAX_LEVELS = 20;

/** Yes or no, the anchors still to be written. */
export function yesNo(passing: 'yes' | 'no' = 'yes'): ForeignScale {
  return { scale: 'binary', levels: [{ value: 'no' }, { value: 'yes' }], pass: { equals: passing } };
}

/**
 * A range of scores as levels where it is a handful of whole numbers; else yes or no, and a loss that says so.
 * @param threshold the lowest score that passes, on the same range; null where the file says none.
 */
export function scoreScale(
  range: { low: number; high: number; at: KeyPath },
  threshold: { value: number; at: KeyPath } | null,
): { scale: ForeignScale; losses: Loss[] } {
  const { low, high, at } = range;
  const n = high - low + 1;
  const cut = (why: string): Loss[] => (threshold === null ? [] : [{ at: threshold.at, why }]);
  if (!Number.isInteger(low) || !Number.isInteger(high) || n < 3 || n > MAX_LEVELS) {
    return {
      scale: yesNo(),
      losses: [
        {
          at,
          why: `scores from ${low} to ${high} without anchors are no levels: the draft asks yes or no; write anchored levels if there are grades between`,
        },
        ...cut(`a cut at ${threshold?.value} has no meaning on yes or no: yes passes`),
      ],
    };
  }
  const first = threshold === null ? null : Math.ceil(threshold.value);
  const possible = first !== null && first >= low && first <= high;
  return {
    scale: {
      scale: 'ordinal',
      levels: Array.from({ length: n }, (_, index) => ({ value: String(low + index) })),
      ...(possible && { pass: { at_least: first } }),
    },
    losses: [
      { at, why: 'scores between whole numbers can no longer be given' },
      ...(first !== null && !possible ? cut(`${threshold?.value} lies outside ${low} to ${high}`) : []),
      ...(possible && first !== threshold?.value ? cut(`rounded up to the level ${first}`) : []),
    ],
  };
}

/** Named answers as levels, each with the anchor that the prompt gives it where it does. */
export function choiceScale(
  choices: readonly string[],
  passing: readonly string[],
  prompt: string,
): ForeignScale {
  const levels = choices.map((value) => {
    const anchor = anchorOf(value, prompt);
    return { value, ...(anchor !== null && { anchor }) };
  });
  return { scale: choices.length === 2 ? 'binary' : 'nominal', levels, ...passRule(passing) };
}

function passRule(passing: readonly string[]): { pass?: PassRule } {
  const [only] = passing;
  if (only === undefined) return {};
  return { pass: passing.length === 1 ? { equals: only } : { in: [...passing] } };
}

/** What a line `(A) text`, `A: text` or `"A" - text` of a prompt says of a choice; null where there is none or several. */
function anchorOf(choice: string, prompt: string): string | null {
  const found = prompt.split('\n').flatMap((line) => {
    const rest = afterChoice(line.replace(/^[\s*-]+/, ''), choice);
    return rest === null || rest.trim() === '' || rest.length > 4000 ? [] : [rest.trim()];
  });
  return found.length === 1 ? (found[0] ?? null) : null;
}

const FORMS = [
  ['(', ')'],
  ['"', '":'],
  ['"', '" -'],
  ['`', '`:'],
  ['**', '**:'],
  ['**', ':**'],
  ['', ':'],
  ['', ')'],
  ['', ' ='],
  ['', ' -'],
] as const;

function afterChoice(line: string, choice: string): string | null {
  for (const [open, close] of FORMS) {
    const head = `${open}${choice}${close}`;
    if (line.toLowerCase().startsWith(head.toLowerCase()))
      return line.slice(head.length).replace(/^\s*[:-]\s/, '');
  }
  return null;
}
