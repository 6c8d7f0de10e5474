import { z } from 'zod';
import { ProviderName } from '../../core/judge.ts';
import { TokenPrice } from '../../core/price.ts';
import type { Usage } from '../../core/trace.ts';
import type { WorkspaceConfig } from '../../core/workspace.ts';
import { readAsset } from '../asset.ts';

const PriceTable = z.strictObject({
  as_of: z.iso.date(),
  about: z.string(),
  prices: z.array(TokenPrice.extend({ providers: z.array(ProviderName), pattern: z.string() })),
});

const FREE: TokenPrice = { input: 0, output: 0, cache_read: 0, cache_write: 0 };

/** US dollars that a use of a model costs; null where the price or the use is not known. */
export type Pricer = (usage: Usage | null) => number | null;

/**
 * The price of one model: the workspace's own, else that of the dated table. A model that both lack has no price, never
 * a guessed one.
 */
export function findPrice(
  provider: ProviderName,
  model: string,
  own: WorkspaceConfig['prices'] = [],
): TokenPrice | null {
  if (provider === 'baseline') return FREE;
  const given = own.find((row) => row.provider === provider && row.model === model);
  if (given !== undefined) {
    const { input, output, cache_read = input, cache_write = input } = given;
    return { input, output, cache_read, cache_write };
  }
  const { prices } = PriceTable.parse(JSON.parse(readAsset('harness/provider/prices.json')));
  return (
    prices.find((row) => row.providers.includes(provider) && new RegExp(row.pattern).test(model)) ?? null
  );
}

/** Prices what a model used. */
export function createPricer(price: TokenPrice | null): Pricer {
  return (usage) => (usage === null || price === null ? null : cost(usage, price));
}

function cost(usage: Usage, price: TokenPrice): number | null {
  if (price.up_to_input !== undefined && usage.input > price.up_to_input) return null;
  const fresh = usage.input - usage.cacheRead - usage.cacheWrite;
  const dollars =
    fresh * price.input +
    usage.cacheRead * price.cache_read +
    usage.cacheWrite * price.cache_write +
    usage.output * price.output;
  return dollars / 1e6;
}
