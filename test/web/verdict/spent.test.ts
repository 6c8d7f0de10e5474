import { expect, test } from 'vitest';
import type { CallReceipt } from '../../../core/verdict.ts';
import { spent, tokensOf } from '../../../web/verdict/spent.ts';

const receipt = (cost_usd: number | null, input: number | null): { receipt: CallReceipt } => ({
  receipt: {
    usage:
      input === null
        ? null
        : { input, output: 20, cacheRead: 0, cacheWrite: 0, cacheWriteHour: 0, reasoning: 0 },
    cost_usd,
    served_model: null,
    fingerprint: null,
    request_id: null,
    ms: 100,
    lost: false,
    raw: null,
  },
});

test('what all sendings took is summed', () => {
  expect(spent([receipt(0, null), receipt(0.01, 1000), receipt(0.02, 500)])).toEqual({
    tokens: '1,500 in, 40 out',
    cost_usd: 0.03,
    ms: 300,
  });
});

test('a cost that is not known makes the sum unknown, and so does a sending that was never heard of', () => {
  expect(spent([receipt(0.01, 1), receipt(null, 1)])?.cost_usd).toBeNull();
  expect(spent([receipt(0.01, 1), { receipt: null }])?.cost_usd).toBeNull();
  expect(spent([{ receipt: null }])).toBeNull();
});

test('tokens of the cache and of reasoning are told where there are any', () => {
  const used = receipt(0, 900).receipt;
  expect(tokensOf(used)).toBe('900 tokens in, 20 out');
  expect(
    tokensOf({
      ...used,
      usage: { input: 900, output: 20, cacheRead: 800, cacheWrite: 0, cacheWriteHour: 0, reasoning: 5 },
    }),
  ).toBe('900 tokens in, 20 out (800 read from the cache, 5 for reasoning)');
  expect(tokensOf({ ...used, usage: null })).toBe('tokens not told');
});
