import { z } from 'zod';
import { ProviderName } from '../../core/judge.ts';
import type { Usage } from '../../core/trace.ts';
import { readAsset } from '../asset.ts';

const Price = z.strictObject({
  providers: z.array(ProviderName),
  pattern: z.string(),
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  cache_read: z.number().nonnegative(),
  cache_write: z.number().nonnegative(),
  up_to_input: z.number().int().positive().optional(),
});
type Price = z.infer<typeof Price>;

const PriceTable = z.strictObject({ as_of: z.iso.date(), about: z.string(), prices: z.array(Price) });

/** US dollars that a use of a model costs; null where the price or the use is not known. */
export type Pricer = (usage: Usage | null) => number | null;

/** Prices one model by the dated table. A model that the table lacks has no price, never a guessed one. */
export function createPricer(provider: ProviderName, model: string): Pricer {
  if (provider === 'baseline') return () => 0;
  const { prices } = PriceTable.parse(JSON.parse(readAsset('harness/provider/prices.json')));
  const price = prices.find((row) => row.providers.includes(provider) && new RegExp(row.pattern).test(model));
  return (usage) => (usage === null || price === undefined ? null : cost(usage, price));
}

function cost(usage: Usage, price: Price): number | null {
  if (price.up_to_input !== undefined && usage.input > price.up_to_input) return null;
  const fresh = usage.input - usage.cacheRead - usage.cacheWrite;
  const dollars =
    fresh * price.input +
    usage.cacheRead * price.cache_read +
    usage.cacheWrite * price.cache_write +
    usage.output * price.output;
  return dollars / 1e6;
}
