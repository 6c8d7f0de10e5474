import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { StatsInputError } from '../../../core/stats/stat.ts';
import { adapters } from './golden/adapters.ts';

const Golden = z.object({
  cases: z.array(
    z.strictObject({
      id: z.string(),
      function: z.string(),
      input: z.unknown(),
      options: z.unknown(),
      expected: z.record(z.string(), z.unknown()),
      tolerance: z.number(),
      published: z.record(z.string(), z.number()).optional(),
      producedBy: z.array(z.string()),
      reference: z.string().optional(),
    }),
  ),
});

const path = new URL('./golden/golden.json', import.meta.url);
const { cases } = Golden.parse(JSON.parse(readFileSync(path, 'utf8')));

/** These intervals are exact in the reference; only Tango's carry the looser tolerance of the case. */
const EXACT = /^(bp|newc|diff)/;

describe('golden figures', () => {
  it('has all 344 cases', () => {
    expect(new Set(cases.map(({ id }) => id)).size).toBe(344);
  });

  for (const golden of cases) {
    it(golden.id, () => {
      const run = adapters[golden.function];
      if (run === undefined) throw new Error(`no adapter for ${golden.function}`);
      if ('error' in golden.expected) {
        expect(codeOf(() => run(golden.input, golden.options))).toBe(golden.expected.error);
        return;
      }
      const got = run(golden.input, golden.options);
      for (const [key, expected] of Object.entries(golden.expected)) {
        if (key.startsWith('rBoot')) continue;
        const tolerance =
          golden.function === 'pairedDifferenceCI' && EXACT.test(key) ? 1e-9 : golden.tolerance;
        expectClose(got[key], expected, tolerance, key);
      }
      for (const [key, rounded] of Object.entries(golden.published ?? {})) {
        expect(roundedLike(got[key], rounded), `published ${key}`).toBe(rounded);
      }
    });
  }
});

function expectClose(got: unknown, expected: unknown, tolerance: number, key: string): void {
  if (Array.isArray(expected)) {
    expect(Array.isArray(got) ? got.length : got, key).toBe(expected.length);
    if (Array.isArray(got)) {
      expected.forEach((value, index) => {
        expectClose(got[index], value, tolerance, `${key}[${index}]`);
      });
    }
    return;
  }
  if (typeof expected !== 'number' || typeof got !== 'number') {
    expect(got, key).toBe(expected);
    return;
  }
  const allowed = tolerance * Math.max(1, Math.abs(expected));
  expect(Math.abs(got - expected), `${key}: got ${got}, expected ${expected}`).toBeLessThanOrEqual(allowed);
}

function roundedLike(got: unknown, published: number): number {
  const decimals = (String(published).split('.')[1] ?? '').length;
  return Number(Number(got).toFixed(decimals));
}

function codeOf(call: () => unknown): string | undefined {
  try {
    call();
  } catch (error) {
    if (error instanceof StatsInputError) return error.code;
    throw error;
  }
  return undefined;
}
