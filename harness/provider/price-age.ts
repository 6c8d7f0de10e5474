import { type Judge, judgeRef } from '../../core/judge.ts';
import type { WorkspaceConfig } from '../../core/workspace.ts';
import { findDatedPrice } from './price.ts';

/** Prices older than this are said to be old, days. */
const OLD = 180;

const DAY = 86_400_000;

/**
 * What is to be said of the prices that judges of hosted models would be counted by: none is known, or it is old.
 * @param today YYYY-MM-DD.
 */
export function priceWarnings(
  judges: readonly Judge[],
  own: WorkspaceConfig['prices'],
  today: string,
): string[] {
  const warnings = new Set<string>();
  for (const judge of judges.filter(({ provider }) => isHosted(provider))) {
    const { provider, model } = judge;
    const found = findDatedPrice(provider, model, own);
    if (found === null) {
      warnings.add(
        `${judgeRef(judge)}: no price is known for ${model} of ${provider}, so what it costs will not be counted; add it under prices: in touchstone.yaml [unknown_price]`,
      );
      continue;
    }
    if (found.as_of === null) continue;
    const days = Math.floor((Date.parse(today) - Date.parse(found.as_of)) / DAY);
    if (days <= OLD) continue;
    const table = found.own ? `the price of ${model} in touchstone.yaml is` : 'our own prices are';
    warnings.add(
      `${table} of ${found.as_of}, ${days} days old; compare with the provider's and say the new one under prices: in touchstone.yaml [old_prices]`,
    );
  }
  return [...warnings];
}

/** What people run themselves has the price that they know; baselines, recordings and panels have none. */
function isHosted(provider: Judge['provider']): boolean {
  return !['baseline', 'recorded', 'panel', 'openai-compatible'].includes(provider);
}
