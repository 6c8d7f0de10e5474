import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findQuote } from '../../core/evidence.ts';

/** Texts with all that folding has to cope with. */
const piece = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    ...['e\u0301', '\u00e9', ' \u0301', '\u200b', '\u00ad', '\u00a0', '\r\n', '\n\n', '\t ', '\ufeff'],
    ...[
      '\u201c',
      '\u2019',
      '"',
      "'",
      '\u1112\u1161\u11ab',
      '\ud55c',
      '\u0958',
      'a\u0323\u0307',
      'e\u200b\u0301',
    ],
    ...['👩‍👩‍👧', '𝒳', '\ud83d', 'word', 'The refund', ' 129.00 '],
  ),
);
const text = fc.array(piece, { minLength: 1, maxLength: 30 }).map((pieces) => pieces.join(''));

/** The normalisation class, written a second time and over the whole text at once. */
function foldWhole(raw: string): string {
  return raw
    .replace(/[\u200b-\u200d\u2060\ufeff\u00ad]/g, '')
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .replace(/[\u2018\u2019\u201a]/g, "'")
    .replace(/[\u201c\u201d\u201e]/g, '"')
    .trim();
}

/** Where grapheme boundaries of the raw text are, so that a cut never parts a mark from its base. */
const boundaries = (raw: string) => [
  ...[...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(raw)].map(({ index }) => index),
  raw.length,
];

/** Another spelling of the same words: decomposed, curly, spread, with invisible characters. */
function respell(raw: string): string {
  return raw
    .normalize('NFD')
    .replace(/"/g, '\u201d')
    .replace(/'/g, '\u2019')
    .replace(/[^\S\r\n]/g, '\u00a0 ')
    .replace(/([a-z])(?=[a-z])/g, '$1\u200b');
}

describe('a quote that stands in the text', () => {
  it('is found letter by letter at its own offsets, whatever the text holds', () => {
    fc.assert(
      fc.property(text, fc.nat(), fc.nat(), (raw, one, other) => {
        const start = Math.min(one % raw.length, other % raw.length);
        const end = Math.max(one % raw.length, other % raw.length) + 1;
        const quote = raw.slice(start, end);
        fc.pre(foldWhole(quote).length >= 12);
        const { status, places } = findQuote(raw, quote);
        expect(status).toBe('exact');
        for (const place of places) expect(raw.slice(place.start, place.end)).toBe(quote);
      }),
    );
  });

  it('is found in another spelling and mapped back to the raw words', () => {
    fc.assert(
      fc.property(text, fc.nat(), fc.nat(), (raw, one, other) => {
        const cuts = boundaries(raw);
        const [start = 0, end = 0] = [cuts[one % cuts.length] ?? 0, cuts[other % cuts.length] ?? 0].sort(
          (x, y) => x - y,
        );
        const words = raw.slice(start, end);
        const quote = respell(words);
        fc.pre(foldWhole(quote).length >= 12 && foldWhole(quote) === foldWhole(words));
        // A quote that begins with a mark, or after which one follows, would cut a character.
        fc.pre(!/^[\s\u200b-\u200d\u2060\ufeff\u00ad]*\p{M}/u.test(words));
        fc.pre(!/^[\u200b-\u200d\u2060\ufeff\u00ad]*[\p{M}\u1160-\u11ff]/u.test(raw.slice(end)));
        const { status, places } = findQuote(raw, quote);
        expect(status).not.toBe('unsupported');
        for (const place of places)
          expect(foldWhole(raw.slice(place.start, place.end))).toBe(foldWhole(quote));
      }),
      { numRuns: 300 },
    );
  });
});

describe('a quote that does not', () => {
  it('is never found: every place given holds the quoted words and no others', () => {
    fc.assert(
      fc.property(text, text, (raw, quote) => {
        const { status, places } = findQuote(raw, quote, 1);
        expect(places.length > 0).toBe(status !== 'unsupported');
        for (const place of places)
          expect(foldWhole(raw.slice(place.start, place.end))).toBe(foldWhole(quote));
      }),
      { numRuns: 300 },
    );
  });

  it('is any quote with one letter changed', () => {
    fc.assert(
      fc.property(text, fc.nat(), fc.constantFrom('§', 'Q', '7', '.'), (raw, at, letter) => {
        const quote = raw.slice(0, 40);
        const changed = quote.slice(0, at % quote.length) + letter + quote.slice((at % quote.length) + 1);
        fc.pre(foldWhole(changed).length >= 12 && !foldWhole(raw).includes(foldWhole(changed)));
        expect(findQuote(raw, changed).status).toBe('unsupported');
      }),
    );
  });

  it('is any quote with one character added or left out', () => {
    fc.assert(
      fc.property(text, fc.nat(), fc.constantFrom('', '§', 'Q', '7', '\u0301'), (raw, at, added) => {
        const cut = at % raw.length;
        const changed = raw.slice(0, cut) + added + raw.slice(added === '' ? cut + 1 : cut);
        fc.pre(!raw.includes(changed));
        fc.pre(foldWhole(changed).length >= 12 && !foldWhole(raw).includes(foldWhole(changed)));
        expect(findQuote(raw, changed).status).toBe('unsupported');
      }),
    );
  });

  const said = 'Your refund of 129.00 was not approved, and nobody said “yes”.\r\nWe will write again.';

  it.each([
    ['other words', 'Your refund was approved at once'],
    ['nothing', ''],
    ['only spaces', '   \n '],
    ['fewer than 12 characters', 'was not app'],
    ['stitched with an ellipsis', 'Your refund of 129.00 ... nobody said'],
    ['in another case', 'your refund of 129.00 was not approved'],
    ['with another digit', 'Your refund of 128.00 was not approved'],
    ['without its "not"', 'Your refund of 129.00 was approved'],
    ['with an accent that the text lacks', 'Your refund of 129.00 wás not approved'],
  ])('is one of %s', (_, quote) => {
    expect(findQuote(said, quote)).toEqual({ status: 'unsupported', places: [] });
  });

  it.each([
    ['straight quotes', 'nobody said "yes".'],
    ['another white space', 'was\u00a0not  approved,\nand nobody'],
    ['another line end', '“yes”.\nWe will write'],
    ['zero-width characters', 'was n\u200bot appro\u00adved'],
  ])('is not one that differs only by %s', (_, quote) => {
    const { status, places } = findQuote(said, quote);
    expect(status).toBe('normalised');
    expect(places).toHaveLength(1);
    expect(foldWhole(said.slice(places[0]?.start, places[0]?.end))).toBe(foldWhole(quote));
  });

  it('is not one that differs only by composition, whichever side is composed', () => {
    const composed = 'the café is closed today';
    const decomposed = composed.normalize('NFD');
    expect(findQuote(decomposed, composed)).toEqual({
      status: 'normalised',
      places: [{ start: 0, end: decomposed.length }],
    });
    expect(findQuote(composed, decomposed).status).toBe('normalised');
    expect(findQuote('the cafe\u200b\u0301 is closed today', composed).status).toBe('normalised');
  });
});

describe('how much is enough', () => {
  it('is less than the minimum where the quote is the whole field', () => {
    expect(findQuote('Yes.', 'Yes.').status).toBe('normalised');
    expect(findQuote('Yes. And more than that.', 'Yes.').status).toBe('unsupported');
  });

  it('gives every place of a quote that stands twice', () => {
    const twice = 'as was agreed. Later: as was agreed.';
    expect(findQuote(twice, 'as was agreed')).toEqual({
      status: 'exact',
      places: [
        { start: 0, end: 13 },
        { start: 22, end: 35 },
      ],
    });
  });
});
