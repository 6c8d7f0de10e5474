import { describe, expect, it } from 'vitest';
import { Judge } from '../../../core/judge.ts';
import { ModelRow } from '../../../core/model-table.ts';
import { checkCapabilities } from '../../../harness/provider/capabilities.ts';

const judge = (provider: string, model: string, more: object = {}) =>
  Judge.parse({
    judge: 'one',
    version: 1,
    rubric: 'quality@1',
    criteria: ['accuracy'],
    provider,
    model,
    endpoint: provider === 'openai-compatible' ? 'local' : null,
    ...more,
  });

const cold = { params: { temperature: 0 } };

describe('what a model takes', () => {
  it.each([
    ['openai', 'gpt-5-2025-08-07', cold, 'params.temperature'],
    ['openai', 'o3-2025-04-16', cold, 'params.temperature'],
    ['anthropic', 'claude-opus-4-7', cold, 'params.temperature'],
    ['anthropic', 'claude-sonnet-5-5', { output: 'tool' }, 'output: tool'],
    ['anthropic', 'claude-sonnet-4-5-20250929', { params: { seed: 1 } }, 'params.seed'],
    ['anthropic', 'claude-opus-5', { params: { reasoning_effort: 'minimal' } }, 'params.reasoning_effort'],
    ['openai-responses', 'gpt-4.1-2025-04-14', { params: { seed: 1 } }, 'params.seed'],
    ['openai', 'gpt-4.1-2025-04-14', { params: { reasoning_effort: 'low' } }, 'params.reasoning_effort'],
    ['openai', 'gpt-4-0613', {}, 'output: structured'],
    ['google', 'gemini-2.0-flash-001', { params: { reasoning_effort: 'low' } }, 'params.reasoning_effort'],
    [
      'google',
      'gemini-3-pro-preview-2026',
      { params: { reasoning_effort: 'medium' } },
      'params.reasoning_effort',
    ],
  ])('%s %s refuses %j before anything is sent', (provider, model, more, named) => {
    expect(() => checkCapabilities(judge(provider, model, more), [])).toThrow(
      `${model} does not take ${named}`,
    );
  });

  it.each([
    ['openai', 'gpt-4.1-2025-04-14', { params: { temperature: 0, seed: 7 } }],
    ['openai', 'gpt-5-2025-08-07', { params: { reasoning_effort: 'minimal' } }],
    ['anthropic', 'claude-sonnet-4-5-20250929', cold],
    ['anthropic', 'claude-opus-4-7', {}],
    ['openai-compatible', 'anything', { params: { temperature: 1.3, seed: 7, reasoning_effort: 'high' } }],
    ['openai', 'unheard-of-2030-01-01', cold],
    [
      'google',
      'gemini-2.5-flash-preview-09-2025',
      { params: { temperature: 0, seed: 7, reasoning_effort: 'minimal' } },
    ],
  ])('%s %s takes %j', (provider, model, more) => {
    expect(() => checkCapabilities(judge(provider, model, more), [])).not.toThrow();
  });

  it('is looked up in touchstone.yaml first, and what a row there does not say is taken', () => {
    const own = [
      ModelRow.parse({ providers: ['openai-compatible'], pattern: '^qwen', seed: false, efforts: [] }),
      ModelRow.parse({ providers: ['openai'], pattern: '^gpt-5-2025' }),
    ];
    expect(() => checkCapabilities(judge('openai', 'gpt-5-2025-08-07', cold), own)).not.toThrow();
    expect(() => checkCapabilities(judge('openai-compatible', 'qwen3', cold), own)).not.toThrow();
    const seeded = judge('openai-compatible', 'qwen3', { params: { seed: 1 } });
    expect(() => checkCapabilities(seeded, own)).toThrow('qwen3 does not take params.seed');
  });
});

describe('what a judge may pin', () => {
  it('is a dated snapshot, or a Claude id of a kind that never moves', () => {
    for (const model of [
      'claude-sonnet-4-5-20250929',
      'claude-opus-4-6',
      'claude-sonnet-5',
      'claude-haiku-5-5',
    ])
      expect(judge('anthropic', model).model).toBe(model);
    for (const model of ['claude-sonnet-4-5', 'claude-3-5-haiku-latest'])
      expect(() => judge('anthropic', model)).toThrow('floating alias');
    expect(() => judge('openai', 'gpt-5.2')).toThrow('floating alias');
  });
});
