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

/**
 * A judge's quote after our check: `places` are our offsets, every occurrence; empty where unsupported. `misplaced` = it
 * stands in the text, and the judge gave offsets at which it does not.
 */
export const Quote = z.strictObject({
  field: SampleField,
  step: z.number().int().positive().optional(),
  quote: z.string().max(20_000),
  status: QuoteStatus,
  places: z.array(
    z.strictObject({ start: z.number().int().nonnegative(), end: z.number().int().nonnegative() }),
  ),
  misplaced: z.literal(true).optional(),
});
export type Quote = z.infer<typeof Quote>;

/** Fewest characters that a quote needs to count, unless the whole field is shorter. */
const MIN_QUOTE_CHARS = 12;

const ZERO_WIDTH = /[\u200b-\u200d\u2060\ufeff\u00ad]/;
const SPACE = /\s/;
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
 * zero-width characters dropped) and the match is mapped back to raw offsets. Nothing fuzzier counts, and a folded
 * match never cuts a character from the marks that combine with it.
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
  const places = foldedPlaces(folded, needle);
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

/** A folded text and, for each of its UTF-16 units, the raw range that it came from. */
interface Folded {
  text: string;
  from: number[];
  to: number[];
}

/** The raw ranges of every occurrence that cuts no cluster in two. */
function foldedPlaces({ text, from, to }: Folded, needle: string): { start: number; end: number }[] {
  const places: { start: number; end: number }[] = [];
  for (let at = text.indexOf(needle); at !== -1; ) {
    const next = at + needle.length;
    const start = from[at] ?? 0;
    const end = to[next - 1] ?? 0;
    const cuts = (at > 0 && from[at - 1] === start) || (next < text.length && to[next] === end);
    if (!cuts) places.push({ start, end });
    at = text.indexOf(needle, cuts ? at + 1 : next);
  }
  return places;
}

function fold(raw: string): Folded {
  let text = '';
  const from: number[] = [];
  const to: number[] = [];
  for (const { piece, start, end } of clusters(raw)) {
    const space = isSpace(piece);
    if (space && text.endsWith(' ')) {
      to[to.length - 1] = end;
      continue;
    }
    const clean = space ? ' ' : cleanPiece(piece);
    for (let unit = 0; unit < clean.length; unit++) {
      from.push(start);
      to.push(end);
    }
    text += clean;
  }
  return { text, from, to };
}

function cleanPiece(piece: string): string {
  if (piece.length === 1 && piece < '\u0080') return piece;
  return piece.normalize('NFC').replace(/./gsu, (char) => CURLY[char] ?? char);
}

/**
 * Splits into runs that normalise on their own: a white-space character, or a character with the marks that combine
 * with it. Zero-width characters are left out before, so that they never part a mark from its base.
 */
function* clusters(raw: string): Generator<{ piece: string; start: number; end: number }> {
  let open = { piece: '', start: 0, end: 0 };
  for (let at = 0; at < raw.length; ) {
    const char = String.fromCodePoint(raw.codePointAt(at) ?? 0);
    const end = at + char.length;
    if (char < '\u0080' || !ZERO_WIDTH.test(char)) {
      if (combines(char) && open.piece !== '' && !isSpace(open.piece)) {
        open = { piece: open.piece + char, start: open.start, end };
      } else {
        if (open.piece !== '') yield open;
        open = { piece: char, start: at, end };
      }
    }
    at = end;
  }
  if (open.piece !== '') yield open;
}

function isSpace(piece: string): boolean {
  return piece === ' ' || ((piece < '!' || piece > '~') && SPACE.test(piece));
}

/** Does a character join the one before it under NFC: a combining mark or a Hangul vowel or tail? */
function combines(char: string): boolean {
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x300) return false;
  return (code >= 0x1160 && code <= 0x11ff) || /^\p{M}/u.test(char);
}
