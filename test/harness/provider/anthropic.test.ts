import { describe, expect, it } from 'vitest';
import { createSimulator } from '../../simulator/simulator.ts';
import { openOn, requestOf } from './open-test-provider.ts';

describe("Anthropic's cache", () => {
  it.each([
    ['claude-sonnet-4-5-20250929', 1000, false],
    ['claude-sonnet-4-5-20250929', 5000, true],
    ['claude-opus-5-5', 2000, true],
  ])('is asked by %s for a shared part of %i characters: %s', async (model, length, asked) => {
    await using simulator = await createSimulator();
    const provider = await openOn(simulator, 'anthropic');
    const params = { temperature: null, max_output_tokens: 800, reasoning_effort: null, seed: null };
    const request = requestOf('anthropic', 'structured', { model, params, system: 'x'.repeat(length) });
    const completion = await provider.complete(request, new AbortController().signal);
    await provider.close();
    expect(completion.status).toBe('answered');
    expect(JSON.stringify(simulator.calls[0]?.body).includes('cache_control')).toBe(asked);
  });
});
