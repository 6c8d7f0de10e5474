import { describe, expect, it } from 'vitest';
import { Judge } from '../../../core/judge.ts';
import { WorkspaceConfig } from '../../../core/workspace.ts';
import { priceWarnings } from '../../../harness/provider/price-age.ts';

const judge = (name: string, provider: string, model: string) =>
  Judge.parse({
    judge: name,
    version: 1,
    rubric: 'quality@1',
    criteria: ['accuracy'],
    provider,
    model,
    endpoint: provider === 'openai-compatible' ? 'local' : null,
  });

const known = judge('known', 'openai', 'gpt-4.1-2025-04-14');
const own = WorkspaceConfig.parse({
  name: 'one',
  prices: [
    { provider: 'openai', model: 'gpt-4.1-2025-04-14', input: 2, output: 8, as_of: '2026-01-01' },
    { provider: 'anthropic', model: 'claude-opus-5', input: 2, output: 8 },
  ],
}).prices;

describe('what is said of prices', () => {
  it('is nothing while they are known and no older than 180 days', () => {
    const judges = [
      known,
      judge('local', 'openai-compatible', 'qwen3'),
      judge('null', 'baseline', 'length@1'),
    ];
    expect(priceWarnings(judges, [], '2026-12-01')).toEqual([]);
    expect(priceWarnings([known], own, '2026-06-30')).toEqual([]);
  });

  it('names a judge whose model has no price', () => {
    const judges = [known, judge('new', 'anthropic', 'claude-haiku-9-20300101')];
    expect(priceWarnings(judges, [], '2026-12-01')).toMatchInlineSnapshot(`
      [
        "new@1: no price is known for claude-haiku-9-20300101 of anthropic, so what it costs will not be counted; add it under prices: in touchstone.yaml [unknown_price]",
      ]
    `);
  });

  it('says once how old a price is that judges are counted by', () => {
    expect(
      priceWarnings([known, known, judge('dateless', 'anthropic', 'claude-opus-5')], own, '2026-07-01'),
    ).toMatchInlineSnapshot(`
      [
        "the price of gpt-4.1-2025-04-14 in touchstone.yaml is of 2026-01-01, 181 days old; compare with the provider's and say the new one under prices: in touchstone.yaml [old_prices]",
      ]
    `);
    expect(priceWarnings([known], [], '2027-05-30')).toMatchInlineSnapshot(`
      [
        "our own prices are of 2026-11-06, 205 days old; compare with the provider's and say the new one under prices: in touchstone.yaml [old_prices]",
      ]
    `);
  });
});
