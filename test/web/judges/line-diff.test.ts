import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffText, foldSame, type Line } from '../../../web/judges/line-diff.ts';

const text = fc.array(fc.constantFrom('a', 'b b', 'the tone is kind', 'the tone is cold', ''), {
  maxLength: 12,
});
const joined = (lines: (Line | null)[]) => lines.flatMap((line) => line?.text ?? []).join('\n');

test('each side of a comparison is its text again, every line numbered once', () => {
  fc.assert(
    fc.property(text, text, (one, other) => {
      const [was, now] = [one.join('\n'), other.join('\n')];
      const rows = diffText(was, now);
      expect(joined(rows.map((row) => row.was))).toBe(was);
      expect(joined(rows.map((row) => row.now))).toBe(now);
      for (const side of ['was', 'now'] as const) {
        const numbers = rows.flatMap((row) => row[side]?.at ?? []);
        expect(numbers).toEqual(numbers.map((_, index) => index + 1));
      }
      expect(rows.every(({ kind }) => kind === 'same')).toBe(was === now);
    }),
  );
});

test('in a line that changed, the words that changed are marked, on the side that has them', () => {
  const [row] = diffText('the tone is kind throughout', 'the tone is cold throughout');
  const marked = (line: Line | null | undefined) =>
    line?.marks.map(({ start, end, kind }) => [line.text.slice(start, end), kind]);
  expect(row?.kind).toBe('changed');
  expect(marked(row?.was)).toEqual([['kind', 'removed']]);
  expect(marked(row?.now)).toEqual([['cold', 'added']]);
});

test('lines that share next to nothing are not compared word by word', () => {
  const [row] = diffText('one two three', 'four five six');
  expect([row?.was?.marks, row?.now?.marks]).toEqual([[], []]);
});

test('a character that nobody can see is a change', () => {
  expect(diffText('temperature: 0', 'temperature: 0\u200b').map(({ kind }) => kind)).toEqual(['changed']);
});

test('what is the same is folded, but for two lines around a change', () => {
  const lines = Array.from({ length: 20 }, (_, n) => `line ${n}`);
  const now = lines.with(10, 'other');
  const folds = foldSame(diffText(lines.join('\n'), now.join('\n')));
  expect(folds.map(({ folded, rows }) => [folded, rows.length])).toEqual([
    [true, 8],
    [false, 5],
    [true, 7],
  ]);
});

test('two texts of thousands of lines with nothing in common are still compared', () => {
  const of = (name: string) => Array.from({ length: 5000 }, (_, n) => `${name} ${n}`).join('\n');
  expect(diffText(of('x'), of('y'))).toHaveLength(5000);
});
