import { z } from 'zod';
import { ProviderName } from '../../core/judge.ts';
import { findRow } from '../../core/model-table.ts';
import { TokenPrice } from '../../core/price.ts';
import type { Usage } from '../../core/trace.ts';
import type { WorkspaceConfig } from '../../core/workspace.ts';
import { readAsset } from '../asset.ts';

const Row = TokenPrice.extend({ providers: z.array(ProviderName), pattern: z.string() });

const PriceTable = z.strictObject({
  as_of: z.iso.date(),
  about: z.string(),
  /** What a batch costs of the standard tier. */
  batch_factors: z.array(
    z.strictObject({ providers: z.array(ProviderName), factor: z.number().positive().max(1) }),
  ),
  prices: z.array(Row),
});

const FREE: TokenPrice = { input: 0, output: 0, cache_read: 0, cache_write: 0 };

/** A price, where it stands and how old it is. */
export interface DatedPrice {
  price: TokenPrice;
  /** It stands in touchstone.yaml. */
  own: boolean;
  /** The day that it was read, YYYY-MM-DD; null = that is not said. */
  as_of: string | null;
}

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
  return findDatedPrice(provider, model, own)?.price ?? null;
}

/** As `findPrice`, with where it stands and its date. */
export function findDatedPrice(
  provider: ProviderName,
  model: string,
  own: WorkspaceConfig['prices'],
): DatedPrice | null {
  if (provider === 'baseline' || provider === 'recorded') return { price: FREE, own: false, as_of: null };
  const given = own.find((row) => row.provider === provider && row.model === model);
  if (given !== undefined) {
    const { input, cache_read = input, cache_write = input, as_of = null } = given;
    return { price: { ...given, cache_read, cache_write }, own: true, as_of };
  }
  const { prices, as_of } = readTable();
  const price = findRow(prices, provider, model);
  return price === null ? null : { price, own: false, as_of };
}

/** The price of a model in a batch; null where it has none, or its provider no batches. */
export function findBatchPrice(
  provider: ProviderName,
  model: string,
  own: WorkspaceConfig['prices'],
): TokenPrice | null {
  const price = findPrice(provider, model, own);
  const factor = readTable().batch_factors.find((row) => row.providers.includes(provider))?.factor;
  if (price === null || factor === undefined) return null;
  const { cache_write_hour: hour } = price;
  return {
    ...price,
    input: price.input * factor,
    output: price.output * factor,
    cache_read: price.cache_read * factor,
    cache_write: price.cache_write * factor,
    ...(hour !== undefined && { cache_write_hour: hour * factor }),
  };
}

function readTable(): z.infer<typeof PriceTable> {
  return PriceTable.parse(JSON.parse(readAsset('harness/provider/prices.json')));
}

/** Prices what a model used. */
export function createPricer(price: TokenPrice | null): Pricer {
  return (usage) => (usage === null || price === null ? null : cost(usage, price));
}

function cost(usage: Usage, price: TokenPrice): number | null {
  if (price.up_to_input !== undefined && usage.input > price.up_to_input) return null;
  const { cacheRead, cacheWrite, cacheWriteHour } = usage;
  if (cacheWriteHour > 0 && price.cache_write_hour === undefined) return null;
  const dollars =
    (usage.input - cacheRead - cacheWrite) * price.input +
    cacheRead * price.cache_read +
    (cacheWrite - cacheWriteHour) * price.cache_write +
    cacheWriteHour * (price.cache_write_hour ?? 0) +
    usage.output * price.output;
  return dollars / 1e6;
}
