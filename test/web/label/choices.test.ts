import { expect, test } from 'vitest';
import { Criterion } from '../../../core/rubric.ts';
import { choicesOf } from '../../../web/label/choices.ts';

const shown = (criterion: object, side: 'ab' | 'ba' | null = null) =>
  choicesOf(Criterion.parse({ id: 'c', question: 'q?', ...criterion }), side).map(
    ({ key, name, chosen }) => `${key} ${name} -> ${chosen.act === 'label' ? chosen.value : chosen.act}`,
  );

test('an ordinal level has its own digit', () => {
  expect(shown({ scale: 'ordinal', levels: [{ value: 0 }, { value: 1, name: 'Some' }] })).toEqual([
    '0 0 -> 0',
    '1 Some -> 1',
  ]);
});

test('ordinal levels past nine are counted', () => {
  const levels = Array.from({ length: 11 }, (_, value) => ({ value }));
  expect(shown({ scale: 'ordinal', levels }).slice(8)).toEqual(['9 8 -> 8', 'null 9 -> 9', 'null 10 -> 10']);
});

test('1 passes and 2 fails, in whatever order the rubric writes them', () => {
  const levels = [
    { value: 'yes', name: 'Promise' },
    { value: 'no', name: 'No promise' },
  ];
  expect(shown({ scale: 'binary', levels, pass: { equals: 'no' } })).toEqual([
    '1 No promise -> no',
    '2 Promise -> yes',
  ]);
  expect(shown({ scale: 'binary', levels })).toEqual(['1 Promise -> yes', '2 No promise -> no']);
});

test('x says that the question does not apply, where the rubric allows it', () => {
  expect(
    shown({ scale: 'nominal', levels: [{ value: 'a' }, { value: 'b' }], not_applicable: 'when empty' }),
  ).toEqual(['1 a -> a', '2 b -> b', 'x Does not apply -> not_applicable']);
});

test('left and right are keys, the stored value names the answer', () => {
  const pair = {
    scale: 'pairwise',
    levels: [{ value: 'a', anchor: 'A is better' }, { value: 'b' }, { value: 'tie' }],
  };
  expect(shown(pair, 'ab')).toEqual(['1 A -> a', '2 B -> b', '0 Tie -> tie']);
  expect(shown(pair, 'ba')).toEqual(['1 A -> b', '2 B -> a', '0 Tie -> tie']);
  expect(choicesOf(Criterion.parse({ id: 'c', question: 'q?', ...pair }), 'ba')[0]?.anchor).toBe(
    'A is better',
  );
});
