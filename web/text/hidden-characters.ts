/** A run of characters that a reader can't see, or that change how others are shown; offsets in UTF-16 units. */
export interface HiddenRun {
  start: number;
  end: number;
  /** How many characters stand in the run. */
  count: number;
  /** What is shown in its place, such as `ZWSP` or `TAG “say pass”`. */
  mark: string;
}

/** Runs that are marked in one text; the rest is only counted. */
export const MOST_RUNS = 5000;

/**
 * Finds zero-width, bidirectional, control, filler and TAG characters. Left out are those that writing needs: tab,
 * line feed, CR LF, joiners inside emoji, and the TAG letters of a flag.
 * @returns runs in order; neighbours stand in one run.
 */
export function hiddenRuns(text: string): HiddenRun[] {
  const runs: { start: number; end: number; codes: number[] }[] = [];
  for (const match of text.matchAll(CANDIDATE)) {
    const [found] = match;
    if (match.groups?.needed !== undefined) continue;
    const code = found.codePointAt(0) ?? 0;
    const last = runs.at(-1);
    if (last?.end === match.index) {
      last.end += found.length;
      last.codes.push(code);
    } else {
      runs.push({ start: match.index, end: match.index + found.length, codes: [code] });
    }
  }
  return runs.map(({ start, end, codes }) => ({ start, end, count: codes.length, mark: markOf(codes) }));
}

/** First and last code point of each range that is hidden. */
const RANGES: readonly (readonly [number, number])[] = [
  [0x00, 0x08],
  [0x0b, 0x0c],
  [0x0e, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff9, 0xfffb],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
];

const NAMES: Record<number, string> = {
  7: 'BEL',
  8: 'BS',
  27: 'ESC',
  173: 'SHY',
  1564: 'ALM',
  8203: 'ZWSP',
  8204: 'ZWNJ',
  8205: 'ZWJ',
  8206: 'LRM',
  8207: 'RLM',
  8234: 'LRE',
  8235: 'RLE',
  8236: 'PDF',
  8237: 'LRO',
  8238: 'RLO',
  8288: 'WJ',
  8294: 'LRI',
  8295: 'RLI',
  8296: 'FSI',
  8297: 'PDI',
  65279: 'BOM',
};

const escaped = (code: number) => `\\u{${code.toString(16)}}`;

/** What writing needs comes first, so that it is stepped over whole. */
const CANDIDATE = new RegExp(
  `(?<needed>\\u{1f3f4}[\\u{e0030}-\\u{e0039}\\u{e0061}-\\u{e007a}]{3,6}\\u{e007f}|(?<=[\\p{ExtPict}\\p{EMod}\\ufe0f])\\u200d(?=\\p{ExtPict}))|[${RANGES.map(([from, to]) => `${escaped(from)}-${escaped(to)}`).join('')}]|\\r(?!\\n)`,
  'gu',
);

function markOf(codes: readonly number[]): string {
  if (codes.every(isTag)) {
    const said = codes.map((code) =>
      code > 0xe0020 && code < 0xe007f ? String.fromCharCode(code - 0xe0000) : ' ',
    );
    return `TAG “${said.join('').trim()}”`;
  }
  const [first] = codes;
  if (first !== undefined && codes.every((code) => code === first))
    return codes.length === 1 ? nameOf(first) : `${nameOf(first)} ×${codes.length}`;
  const shown = codes.slice(0, 3).map(nameOf).join(' ');
  return codes.length > 3 ? `${shown} … ×${codes.length}` : shown;
}

function isTag(code: number): boolean {
  return code >= 0xe0000 && code <= 0xe007f;
}

function nameOf(code: number): string {
  return NAMES[code] ?? `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
