import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blocksOf, type Mark, marksIn, piecesOf } from '../../../web/text/pieces.ts';

const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.constantFrom(
        '\n',
        '\r\n',
        '\u200b',
        '\u202e',
        '👩🏽‍💻',
        'e\u0301',
        'word '.repeat(2000),
        'x'.repeat(9000),
      ),
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''));

test('blocks and their pieces are the text again, whatever stands in it and whatever is marked', () => {
  const anyMarks = fc.array(fc.record({ start: fc.nat(20_000), length: fc.nat(5000) }), { maxLength: 6 });
  fc.assert(
    fc.property(anyText, anyMarks, (text, ranges) => {
      const marks = ranges.map(({ start, length }): Mark => ({ start, end: start + length, kind: 'mine' }));
      const { blocks } = blocksOf(text);
      expect(blocks.map((block) => block.text).join('')).toBe(text);
      for (const block of blocks) {
        const pieces = piecesOf(block, marksIn(block, marks));
        expect(pieces.map((piece) => piece.text).join('')).toBe(block.text);
        for (const piece of pieces)
          expect(text.slice(piece.at, piece.at + piece.text.length)).toBe(piece.text);
      }
    }),
  );
});

test('every character of a mark is marked, and no other', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 200 }), fc.nat(200), fc.nat(200), (text, one, other) => {
      const [start, end] = [Math.min(one, other), Math.min(text.length, Math.max(one, other))];
      const marked = blocksOf(text).blocks.flatMap((block) =>
        piecesOf(block, [{ start, end, kind: 'exact' }]).filter((piece) => piece.marks.length > 0),
      );
      expect(marked.map((piece) => piece.text).join('')).toBe(text.slice(start, Math.max(start, end)));
    }),
  );
});

test('overlapping marks keep both kinds where they overlap', () => {
  const [block] = blocksOf('abcdef').blocks;
  const marks: Mark[] = [
    { start: 0, end: 4, kind: 'exact' },
    { start: 2, end: 6, kind: 'person' },
  ];
  const pieces = block === undefined ? [] : piecesOf(block, marks);
  expect(pieces.map(({ text, marks: on }) => `${text}:${on.map((mark) => mark.kind).join('+')}`)).toEqual([
    'ab:exact',
    'cd:exact+person',
    'ef:person',
  ]);
});

test('a text of 200 kB is cut at line ends, in blocks that a screen can hold', () => {
  const text = 'A line of some length that ends here.\n'.repeat(5300);
  const { blocks } = blocksOf(text);
  expect(text.length).toBeGreaterThan(200_000);
  expect(Math.max(...blocks.map((block) => block.text.length))).toBeLessThanOrEqual(4001);
  expect(blocks.slice(0, -1).every((block) => block.text.endsWith('\n'))).toBe(true);
});

test('a word of a megabyte is cut, but never a surrogate pair', () => {
  const { blocks } = blocksOf('😀'.repeat(250_001));
  expect(blocks.length).toBeGreaterThan(50);
  expect(blocks.every((block) => block.text.isWellFormed())).toBe(true);
});

test('counts every hidden character, also those past the most that are marked', () => {
  const { blocks, hidden } = blocksOf('a\u200b'.repeat(20_000));
  expect(hidden).toBe(20_000);
  expect(blocks.reduce((sum, block) => sum + block.hidden.length, 0)).toBe(5000);
});

test('a block without a mark gets the same empty list each time, so that it is not drawn anew', () => {
  const block = { at: 0, text: 'abc' };
  expect(marksIn(block, [{ start: 5, end: 9, kind: 'mine' }])).toBe(marksIn(block, []));
});
