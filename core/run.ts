import { z } from 'zod';
import { Slug } from './rubric.ts';
import { PairOrder, UnscoredCounts } from './verdict.ts';

const Count = z.number().int().nonnegative();
const Dollars = z.number().nonnegative();

/**
 * How a run ended, or that it goes on. All but `done` can be resumed: a person or the end of the process `stopped` it,
 * it `paused` for want of money or of a provider that answers, it `failed` on something to be mended.
 */
export const RunState = z.enum(['running', 'done', 'stopped', 'paused', 'failed']);
export type RunState = z.infer<typeof RunState>;

/** What is done about calls that were sent and never heard of: sent again, once each time a run is started, or held. */
export const OnUnknown = z.enum(['resend', 'hold']);
export type OnUnknown = z.infer<typeof OnUnknown>;

const Outcomes = z.strictObject({ scored: Count, unscored: UnscoredCounts });

/** What a run comes to: counted from the ledger, so that it says the same however often the run was resumed. */
export const RunReport = z.strictObject({
  /** `answered` of `planned` calls have the provider's answer, `reused` of them by another run. */
  calls: z.strictObject({ planned: Count, answered: Count, reused: Count }),
  /** What stands of this judge over the run's samples. */
  verdicts: Outcomes.extend({ criteria: z.record(Slug, Outcomes) }),
  /**
   * What this run sent. `lost` = sent, and no answer was ever read; `resent` = sent although the same had been sent before
   * and was lost, or answered and not kept: what may have been paid twice.
   */
  attempts: z.strictObject({ sent: Count, lost: Count, resent: Count }),
  /** Tokens of the answers to this run. */
  usage: z.strictObject({
    input: Count,
    cache_read: Count,
    cache_write: Count,
    output: Count,
    reasoning: Count,
  }),
  /**
   * US dollars of this run: what is known to be spent, and what the `in_doubt` attempts without a known cost may have cost
   * at most; `unpriced` of these have no known price either.
   */
  cost: z.strictObject({ usd: Dollars, in_doubt: Count, in_doubt_usd: Dollars, unpriced: Count }),
  /** Calls without an answer that were sent and never heard of, the first 1,000. */
  unknown: z.array(
    z.strictObject({
      sample: z.string(),
      criteria: z.array(Slug),
      order: PairOrder.nullable(),
      repeat: Count,
      sent_at: z.string(),
    }),
  ),
});
export type RunReport = z.infer<typeof RunReport>;

/** What a run would do, found out without sending anything. */
export const RunPlan = z.strictObject({
  samples: Count,
  /**
   * `answered` calls are not sent again; `unheard` ones were sent before and never heard of; `trivial` ones are marked
   * without a call; `to_send` = the rest of `planned`, `unheard` included.
   */
  calls: z.strictObject({ planned: Count, answered: Count, unheard: Count, trivial: Count, to_send: Count }),
  /** Tokens of what is to be sent; output null where this judge has answered too little to tell. */
  tokens: z.strictObject({ input: Count, output: Count.nullable() }),
  /**
   * US dollars of what is to be sent: about, and at most if nothing has to be sent twice or asked again. Null where the
   * price is not known or, of `about`, where this judge has answered too little to tell.
   */
  cost: z.strictObject({ about_usd: Dollars.nullable(), most_usd: Dollars.nullable() }),
  /** Seconds at this concurrency; null where this judge has answered too little to tell. */
  seconds: z.number().nonnegative().nullable(),
  /** What the estimates rest on, in words. */
  basis: z.string(),
});
export type RunPlan = z.infer<typeof RunPlan>;
