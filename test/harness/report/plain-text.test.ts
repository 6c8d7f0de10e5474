import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainLine, plainText } from '../../../harness/report/plain-text.ts';

describe('plain text', () => {
  it.each([
    ['a colour', '\u001b[31mred\u001b[0m', 'red'],
    ['a cleared screen', 'a\u001b[2J\u001b[Hb', 'ab'],
    ['a window title', '\u001b]0;pwned\u0007ok', 'ok'],
    ['a link', '\u001b]8;;https://example.com\u001b\\here\u001b]8;;\u001b\\', 'here'],
    ['a bell and a backspace', 'a\u0007\u0008b', 'ab'],
    ['a carriage return', 'passed\rfailed', 'passedfailed'],
    ['an eight-bit sequence', 'a\u009b31mb', 'a31mb'],
    ['text that turns around', 'a\u202egnp.exe\u202c', 'agnp.exe'],
    ['a lone surrogate', 'a\ud800b', 'ab'],
  ])('has no %s', (_name, text, expected) => {
    expect(plainText(text)).toBe(expected);
  });

  it('keeps letters, lines, tabs and joined emoji', () => {
    const text = 'Grüße,\n\t👩‍🚀 नमस्ते';
    expect(plainText(text)).toBe(text);
  });

  it('never holds what steers a terminal', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const plain = plainText(text);
        expect([...plain].every((one) => one === '\n' || one === '\t' || one >= ' ')).toBe(true);
        expect(plain).not.toMatch(/[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
      }),
    );
  });
});

describe('a plain line', () => {
  it('is one line, no longer than it may be', () => {
    expect(plainLine(' a\n\n b\tc ')).toBe('a b c');
    expect(plainLine('x'.repeat(300), 10)).toBe(`${'x'.repeat(9)}…`);
  });
});
