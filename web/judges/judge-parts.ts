import type { JudgeParts } from '../api.ts';

/** One part of what a judge's hash is made of, as lines of text. */
export interface Part {
  name: 'file' | 'rubric' | 'prompt' | 'few-shots';
  text: string;
}

/** As much of a judge version as its hash covers. */
export type Hashed = Pick<JudgeParts, 'judge' | 'rubric' | 'prompt_text' | 'examples'>;

/** All that a judge's hash is made of, defaults filled in, as text that can be compared line by line. */
export function partsOf({ judge, rubric, prompt_text, examples }: Hashed): Part[] {
  return [
    { name: 'file', text: linesOf(judge).join('\n') },
    { name: 'rubric', text: linesOf(rubric).join('\n') },
    { name: 'prompt', text: prompt_text },
    { name: 'few-shots', text: linesOf(examples).join('\n') },
  ];
}

/** A value as `path: value` lines, keys sorted; a text of several lines stands below its path. */
function linesOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item !== 'object')) return [`${path}: ${value.join(', ') || 'none'}`];
    return value.flatMap((item: unknown, index) => linesOf(item, `${path}.${nameOf(item) ?? index + 1}`));
  }
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .flatMap(([key, inner]) => linesOf(inner, path === '' ? key : `${path}.${key}`));
  }
  const text = String(value ?? 'none');
  return text.includes('\n')
    ? [`${path}:`, ...text.split('\n').map((line) => `  ${line}`)]
    : [`${path}: ${text}`];
}

/** What an item of a list is known by, so that one that is put in between moves no other. */
function nameOf(item: unknown): string | null {
  if (typeof item !== 'object' || item === null) return null;
  const name: unknown = Reflect.get(item, 'id') ?? Reflect.get(item, 'value');
  return typeof name === 'string' ? name : null;
}

/** What a change in a part means for who wants to trust the judge. */
export const MEANING: Record<Part['name'], string> = {
  file: 'Another model or other settings: how the judge errs has to be measured anew, on the same label set.',
  rubric:
    'Another question or anchor: labels belong to the rubric version that they were given under, so that people may have to label again.',
  prompt: 'Other words around the same questions: run both versions on the same label set and compare them.',
  'few-shots':
    'Other examples in the prompt: run both versions on the same label set, without the examples in it.',
};
