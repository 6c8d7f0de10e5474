import { describe, expect, it } from 'vitest';
import { createPricer, findPrice } from '../../../harness/provider/price.ts';

const use = { input: 1000, output: 100, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

describe('the price of a call', () => {
  it('is exact to the token', () => {
    expect(createPricer(findPrice('openai', 'gpt-4.1-2025-04-14'))(use)).toBeCloseTo(0.0028, 12);
    expect(createPricer(findPrice('anthropic', 'claude-sonnet-4-5-20250929'))(use)).toBeCloseTo(0.0045, 12);
  });

  it('counts cached tokens at their own price and once', () => {
    const cached = { ...use, cacheRead: 600, cacheWrite: 100 };
    const price = createPricer(findPrice('anthropic', 'claude-sonnet-4-5-20250929'));
    expect(price(cached)).toBeCloseTo((300 * 3 + 600 * 0.3 + 100 * 3.75 + 100 * 15) / 1e6, 12);
  });

  it('does not guess: an unknown model, an unknown use or a longer input has no price', () => {
    expect(createPricer(findPrice('openai', 'gpt-99-2030-01-01'))(use)).toBeNull();
    expect(createPricer(findPrice('openai', 'gpt-4.1-2025-04-14'))(null)).toBeNull();
    expect(createPricer(findPrice('openai-compatible', 'gpt-4.1-2025-04-14'))(use)).toBeNull();
    expect(createPricer(findPrice('anthropic', 'claude-haiku-5-5'))({ ...use, input: 100_001 })).toBeNull();
  });

  it('is nothing for a baseline', () => {
    expect(createPricer(findPrice('baseline', 'length@1'))(use)).toBe(0);
  });
});
