import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../../harness/provider/redact.ts';

const key = fc.stringMatching(/^[A-Za-z0-9_-]{16,60}$/);

describe('the redactor', () => {
  it('takes out a key wherever it stands, whole or after its first 8 characters', () => {
    fc.assert(
      fc.property(
        key,
        fc.string(),
        fc.string(),
        fc.integer({ min: 8, max: 60 }),
        (secret, before, after, cut) => {
          const text = createRedactor([secret])(`${before} ${secret.slice(0, cut)} ${after}`);
          expect(text.slice(before.length)).not.toContain(secret.slice(0, 8));
        },
      ),
    );
  });

  it('takes out base64 of a key at any alignment', () => {
    fc.assert(
      fc.property(key, fc.string({ maxLength: 12 }), (secret, before) => {
        const encoded = Buffer.from(`${before}${secret}`).toString('base64');
        const middle = encoded.slice(
          Math.ceil((Buffer.byteLength(before) * 4) / 3) + 2,
          Math.floor(((Buffer.byteLength(before) + secret.length) * 4) / 3) - 3,
        );
        expect(createRedactor([secret])(encoded)).not.toContain(middle);
      }),
    );
  });

  it('takes out what looks like a key of anybody', () => {
    const redact = createRedactor([]);
    expect(redact('Incorrect API key provided: sk-proj-abcdefgh1234.')).toBe(
      'Incorrect API key provided: [key].',
    );
    expect(redact('Authorization: Bearer abcdefgh12345')).toBe('Authorization: [key]');
  });

  it('leaves other text alone, also for keys too short to be secret', () => {
    expect(createRedactor(['test'])('the latest test passed')).toBe('the latest test passed');
    expect(createRedactor([])('risk-averse and disk-bound')).toBe('risk-averse and disk-bound');
  });

  it('escapes keys that read like patterns', () => {
    expect(createRedactor(['a+b(c)*d[e]'])('a+b(c)*d[e] aaab')).toBe('[key] aaab');
  });
});
