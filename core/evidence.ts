import { z } from 'zod';
import { SampleField } from './sample.ts';

/** Whether a quote stands in the text it names: letter by letter, after folding of invisible differences, or not. */
export const QuoteStatus = z.enum(['exact', 'normalised', 'unsupported']);
export type QuoteStatus = z.infer<typeof QuoteStatus>;

/** A passage marked by a person: offsets in UTF-16 units of the raw text, `end` exclusive. */
export const Span = z.strictObject({
  field: SampleField,
  /** Step number from 1, where the field is the trace. */
  step: z.number().int().positive().optional(),
  start: z.number().int().nonnegative(),
  end: z.number().int().nonnegative(),
  quote: z.string().max(20_000),
});
export type Span = z.infer<typeof Span>;

/** A judge's quote after our check: `places` are our offsets, every occurrence; empty where unsupported. */
export const Quote = z.strictObject({
  field: SampleField,
  step: z.number().int().positive().optional(),
  quote: z.string().max(20_000),
  status: QuoteStatus,
  places: z.array(
    z.strictObject({ start: z.number().int().nonnegative(), end: z.number().int().nonnegative() }),
  ),
});
export type Quote = z.infer<typeof Quote>;

/** Fewest characters that a quote needs to count, unless the whole field is shorter. */
export const MIN_QUOTE_CHARS = 12;

const ZERO_WIDTH = /[\u200b-\u200d\u2060\ufeff\u00ad]/;
const CURLY: Record<string, string> = {
  '\u2018': "'",
  '\u2019': "'",
  '\u201a': "'",
  '\u201c': '"',
  '\u201d': '"',
  '\u201e': '"',
};

/**
 * Looks for a quote in a raw text.
 * Exact first; else both sides are folded (NFC, CRLF and white-space runs to one space, curly quotes to straight,
 * zero-width characters dropped) and the match is mapped back to raw offsets. Nothing fuzzier counts.
 * @returns status and every place, offsets in UTF-16 units of `text`, `end` exclusive.
 */
export function findQuote(
  text: string,
  quote: string,
  minChars = MIN_QUOTE_CHARS,
): { status: QuoteStatus; places: { start: number; end: number }[] } {
  const needle = fold(quote).text.trim();
  if (needle.length === 0) return { status: 'unsupported', places: [] };
  const longEnough = needle.length >= minChars;
  const exact = longEnough ? occurrences(text, quote) : [];
  if (exact.length > 0)
    return { status: 'exact', places: exact.map((start) => ({ start, end: start + quote.length })) };
  const folded = fold(text);
  if (!longEnough && needle !== folded.text.trim()) return { status: 'unsupported', places: [] };
  const places = occurrences(folded.text, needle).flatMap((start) => {
    const first = folded.from[start];
    const last = folded.to[start + needle.length - 1];
    return first === undefined || last === undefined ? [] : [{ start: first, end: last }];
  });
  return places.length > 0 ? { status: 'normalised', places } : { status: 'unsupported', places: [] };
}

/** Start offsets of every occurrence, overlapping ones left out. */
function occurrences(text: string, needle: string): number[] {
  const found: number[] = [];
  if (needle.length === 0) return found;
  for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + needle.length))
    found.push(at);
  return found;
}

/** Folded text and, for each of its UTF-16 units, the raw range that it came from. */
function fold(raw: string): { text: string; from: number[]; to: number[] } {
  let text = '';
  const from: number[] = [];
  const to: number[] = [];
  const push = (piece: string, start: number, end: number) => {
    for (let unit = 0; unit < piece.length; unit++) {
      from.push(start);
      to.push(end);
    }
    text += piece;
  };
  for (const { start, end } of clusters(raw)) {
    const piece = raw.slice(start, end);
    if (/^\s+$/.test(piece) && !ZERO_WIDTH.test(piece)) {
      if (text.endsWith(' ')) to[to.length - 1] = end;
      else push(' ', start, end);
      continue;
    }
    let clean = '';
    for (const char of piece.normalize('NFC')) clean += ZERO_WIDTH.test(char) ? '' : (CURLY[char] ?? char);
    push(clean, start, end);
  }
  return { text, from, to };
}

/** Splits into runs that normalise on their own: a base character with the marks that combine with it. */
function* clusters(raw: string): Generator<{ start: number; end: number }> {
  let start = 0;
  while (start < raw.length) {
    let end = start + unitsAt(raw, start);
    while (end < raw.length && combines(raw, end)) end += unitsAt(raw, end);
    yield { start, end };
    start = end;
  }
}

function unitsAt(raw: string, at: number): number {
  return (raw.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}

/** Does the character at `at` join the one before it under NFC: a combining mark or a Hangul vowel or tail? */
function combines(raw: string, at: number): boolean {
  const code = raw.codePointAt(at) ?? 0;
  if (code < 0x300) return false;
  if (code >= 0x1160 && code <= 0x11ff) return true;
  return /^\p{M}/u.test(raw.slice(at, at + 2));
}
