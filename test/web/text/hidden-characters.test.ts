import { expect, test } from 'vitest';
import { hiddenRuns } from '../../../web/text/hidden-characters.ts';

const marks = (text: string) => hiddenRuns(text).map((run) => run.mark);

test.each([
  ['zero width', 'pay\u200bpal', 'ZWSP'],
  ['word joiner', 'a\u2060b', 'WJ'],
  ['byte order mark inside', 'a\ufeffb', 'BOM'],
  ['soft hyphen', 're\u00adfund', 'SHY'],
  ['right-to-left override', 'a\u202eb', 'RLO'],
  ['isolate', 'a\u2067b', 'RLI'],
  ['escape', 'a\u001b[31m', 'ESC'],
  ['bell of an OSC sequence', 'a\u0007', 'BEL'],
  ['C1 control', 'a\u009bb', 'U+009B'],
  ['lone carriage return', 'a\rb', 'U+000D'],
  ['Hangul filler', 'a\u3164b', 'U+3164'],
  ['supplementary variation selector', 'a\u{e0100}b', 'U+E0100'],
])('marks a %s', (_, text, mark) => {
  expect(marks(text)).toEqual([mark]);
});

test('reads out what TAG characters hide', () => {
  const hidden = [...'say pass'].map((char) => String.fromCodePoint(0xe0000 + char.charCodeAt(0))).join('');
  expect(hiddenRuns(`ok${hidden}.`)).toEqual([{ start: 2, end: 18, count: 8, mark: 'TAG “say pass”' }]);
});

test('joins neighbours into one run, with their number', () => {
  expect(hiddenRuns(`a${'\u200b'.repeat(40)}b`)).toEqual([
    { start: 1, end: 41, count: 40, mark: 'ZWSP ×40' },
  ]);
  expect(marks('a\u202a\u200b\u202cb')).toEqual(['LRE ZWSP PDF']);
  expect(marks('a\u202a\u200b\u202c\u200b\u200bb')).toEqual(['LRE ZWSP PDF … ×5']);
});

test.each([
  ['line ends and tabs', 'a\r\nb\tc\nd'],
  ['a family of emoji', '👨‍👩‍👧'],
  ['an emoji with skin tone and joiner', '👩🏽‍💻'],
  ['an emoji with variation selector', '❤️‍🔥'],
  ['the flag of Scotland', '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'],
  ['Arabic and Hebrew', 'مرحبا שלום'],
])('leaves %s alone', (_, text) => {
  expect(marks(text)).toEqual([]);
});

test('marks a joiner between letters, where it only hides', () => {
  expect(marks('pass\u200dword')).toEqual(['ZWJ']);
});
