import { expect, test } from 'vitest';
import { Walker } from '../../../web/text/words.ts';

const text = 'The refund, of $70.50, was sent. It takes 3 days.\n\nThank you!';
const walker = new Walker(text);
const words = (ranges: { start: number; end: number }[]) =>
  ranges.map(({ start, end }) => text.slice(start, end));

test('walks over words, past punctuation and line ends, and stops at the edges', () => {
  const path = [walker.first() ?? { start: 0, end: 0 }];
  for (let step = 0; step < 20; step++)
    path.push(walker.from(path.at(-1) ?? { start: 0, end: 0 }, 'word', 1));
  expect([...new Set(words(path))]).toEqual([
    'The',
    'refund',
    'of',
    '70.50',
    'was',
    'sent',
    'It',
    'takes',
    '3',
    'days',
    'Thank',
    'you',
  ]);
  const [first] = path;
  expect(first && walker.from(first, 'word', -1)).toEqual(first);
});

test('goes to the first word of the next and the previous sentence', () => {
  const of = { start: text.indexOf('of'), end: text.indexOf('of') + 2 };
  const next = walker.from(of, 'sentence', 1);
  expect(words([next])).toEqual(['It']);
  expect(words([walker.from(next, 'sentence', -1)])).toEqual(['The']);
});

test('has no word in a text without one', () => {
  expect(new Walker(' … \n').first()).toBeNull();
});
