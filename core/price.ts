import { z } from 'zod';

const Dollars = z.number().nonnegative();

/** US dollars for a million tokens. An input above `up_to_input` tokens has no known price. */
export const TokenPrice = z.strictObject({
  input: Dollars,
  output: Dollars,
  cache_read: Dollars,
  cache_write: Dollars,
  /** Tokens that the cache keeps for an hour. */
  cache_write_hour: Dollars.optional(),
  up_to_input: z.number().int().positive().optional(),
});
export type TokenPrice = z.infer<typeof TokenPrice>;
