import { describe, expect, it } from 'vitest';
import type { ProviderName } from '../../../core/judge.ts';
import { Usage } from '../../../core/trace.ts';
import { WorkspaceConfig } from '../../../core/workspace.ts';
import { createPricer, findPrice } from '../../../harness/provider/price.ts';
import { createSimulator } from '../../simulator/simulator.ts';
import { type Hosted, openOn, requestOf } from './open-test-provider.ts';

const use = Usage.parse({ input: 1000, output: 100 });
const priceOf = (provider: ProviderName, model: string) => createPricer(findPrice(provider, model));

describe('the price of a call', () => {
  it('is exact to the token', () => {
    expect(priceOf('openai', 'gpt-4.1-2025-04-14')(use)).toBeCloseTo(0.0028, 12);
    expect(priceOf('anthropic', 'claude-sonnet-4-5-20250929')(use)).toBeCloseTo(0.0045, 12);
  });

  it('counts cached tokens at their own price and once', () => {
    const cached = { ...use, cacheRead: 600, cacheWrite: 150, cacheWriteHour: 50 };
    const price = priceOf('anthropic', 'claude-sonnet-4-5-20250929');
    expect(price(cached)).toBeCloseTo((250 * 3 + 600 * 0.3 + 100 * 3.75 + 50 * 6 + 100 * 15) / 1e6, 12);
  });

  it('does not guess: an unknown model, an unknown use or a longer input has no price', () => {
    expect(priceOf('openai', 'gpt-99-2030-01-01')(use)).toBeNull();
    expect(priceOf('openai', 'gpt-4.1-2025-04-14')(null)).toBeNull();
    expect(priceOf('openai-compatible', 'gpt-4.1-2025-04-14')(use)).toBeNull();
    expect(priceOf('anthropic', 'claude-haiku-5-5')({ ...use, input: 100_001 })).toBeNull();
    expect(priceOf('google', 'gemini-2.5-pro')({ ...use, input: 200_001 })).toBeNull();
  });

  it('is looked up in touchstone.yaml first', () => {
    const { prices } = WorkspaceConfig.parse({
      name: 'one',
      prices: [
        { provider: 'openai-compatible', model: 'qwen3', input: 1, output: 2 },
        { provider: 'openai', model: 'gpt-4.1-2025-04-14', input: 10, output: 20 },
      ],
    });
    const priceOwn = (provider: ProviderName, model: string) =>
      createPricer(findPrice(provider, model, prices));
    expect(priceOwn('openai-compatible', 'qwen3')(use)).toBeCloseTo(0.0012, 12);
    expect(priceOwn('openai', 'gpt-4.1-2025-04-14')(use)).toBeCloseTo(0.012, 12);
    // Nothing is known of what an hour in the cache costs.
    const kept = { ...use, cacheWrite: 10, cacheWriteHour: 10 };
    expect(priceOwn('openai-compatible', 'qwen3')(kept)).toBeNull();
  });

  it('is nothing for a baseline', () => {
    expect(priceOf('baseline', 'length@1')(use)).toBe(0);
  });
});

/** Usage as each provider writes it, and what it costs in millionths of a dollar. */
const GOLDEN: [Hosted, string, object, number][] = [
  [
    'openai',
    'gpt-4.1-2025-04-14',
    {
      prompt_tokens: 2000,
      completion_tokens: 100,
      total_tokens: 2100,
      prompt_tokens_details: { cached_tokens: 1536, audio_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 0 },
    },
    464 * 2 + 1536 * 0.5 + 100 * 8,
  ],
  [
    'openai-responses',
    'gpt-4.1-2025-04-14',
    {
      input_tokens: 2000,
      input_tokens_details: { cached_tokens: 1024 },
      output_tokens: 300,
      output_tokens_details: { reasoning_tokens: 256 },
    },
    976 * 2 + 1024 * 0.5 + 300 * 8,
  ],
  [
    'anthropic',
    'claude-sonnet-4-5-20250929',
    {
      input_tokens: 400,
      cache_read_input_tokens: 2048,
      cache_creation_input_tokens: 1500,
      cache_creation: { ephemeral_5m_input_tokens: 1000, ephemeral_1h_input_tokens: 500 },
      output_tokens: 90,
    },
    400 * 3 + 2048 * 0.3 + 1000 * 3.75 + 500 * 6 + 90 * 15,
  ],
  [
    'google',
    'gemini-2.5-flash-preview-09-2025',
    {
      promptTokenCount: 3000,
      cachedContentTokenCount: 2048,
      candidatesTokenCount: 80,
      thoughtsTokenCount: 400,
      totalTokenCount: 3480,
    },
    952 * 0.3 + 2048 * 0.03 + 480 * 2.5,
  ],
];

describe('a usage as the provider writes it', () => {
  it.each(GOLDEN)('of %s (%s) is priced to the millionth', async (provider, model, usage, millionths) => {
    await using simulator = await createSimulator({ faults: () => ({ kind: 'answer', usage }) });
    const opened = await openOn(simulator, provider);
    const completion = await opened.complete(
      requestOf(provider, 'structured', { model }),
      new AbortController().signal,
    );
    await opened.close();
    if (completion.status !== 'answered') throw new Error(completion.message);
    expect(createPricer(findPrice(provider, model))(completion.usage)).toBeCloseTo(millionths / 1e6, 12);
    expect(completion.raw).toContain(JSON.stringify(usage));
  });
});
