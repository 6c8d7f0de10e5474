import { sql } from 'drizzle-orm';

/**
 * Was this attempt sent, of `calls c` and its `replies r`? Not what was settled without a model, which may use no token of
 * output, nor what a stopped run had written down and then kept back, whose receipt knows of no token.
 */
export const WAS_SENT = sql`(c.batch IS NOT NULL OR (c.max_output_tokens IS NOT 0 AND json_extract(r.usage, '$.input') IS NOT 0))`;
