import { and, asc, eq, inArray } from 'drizzle-orm';
import { z } from 'zod';
import { Usage } from '../../core/trace.ts';
import { CallReceipt, UnscoredReason } from '../../core/verdict.ts';
import type { OpenDatabase } from './open.ts';
import { calls, replies, runs, verdicts } from './schema.ts';

/** One sending of a call: its intent, what came back, what was made of it. */
export const PastAttempt = z.strictObject({
  id: z.number().int(),
  run: z.string(),
  run_state: z.enum(['running', 'done', 'stopped', 'paused', 'failed']),
  /** 1 = the question itself; higher = asked again within the conversation. */
  turn: z.number().int(),
  /** The longest reply that it allowed; null where that was not kept. */
  max_output_tokens: z.number().int().nullable(),
  /** When it was sent. */
  at: z.string(),
  /** Null = it was sent and never heard of. */
  receipt: CallReceipt.nullable(),
  /** The provider gave its answer: the call is not sent again. */
  final: z.boolean(),
  verdicts: z.array(
    z.strictObject({
      id: z.number().int(),
      criterion: z.string(),
      outcome: z.enum(['scored', ...UnscoredReason.options]),
      value: z.string().nullable(),
    }),
  ),
});
export type PastAttempt = z.infer<typeof PastAttempt>;

/** The sendings of calls, for whoever asks how a verdict came about. */
export class AttemptStore {
  readonly #db: OpenDatabase;

  constructor(db: OpenDatabase) {
    this.#db = db;
  }

  /** Every sending of a call, whatever the run, in the order in which they were sent. */
  ofCall(key: string): PastAttempt[] {
    const rows = this.#db.orm
      .select({ call: calls, reply: replies, state: runs.state })
      .from(calls)
      .innerJoin(runs, eq(runs.id, calls.run))
      .leftJoin(replies, eq(replies.call, calls.id))
      .where(eq(calls.key, key))
      .orderBy(asc(calls.id))
      .all();
    const made = this.#verdictsOf(
      rows[0]?.call.sample ?? 0,
      rows.map(({ call }) => call.id),
    );
    return rows.map(({ call, reply, state }) => ({
      id: call.id,
      run: call.run,
      run_state: state,
      turn: call.turn,
      max_output_tokens: call.maxOutputTokens,
      at: call.at,
      receipt: reply === null ? null : toReceipt(reply),
      final: reply?.final === 1,
      verdicts: made
        .filter((verdict) => verdict.call === call.id)
        .map(({ id, criterion, outcome, value }) => ({ id, criterion, outcome: toOutcome(outcome), value })),
    }));
  }

  /** By the sample first, which has an index. */
  #verdictsOf(sample: number, ids: readonly number[]) {
    return this.#db.orm
      .select({
        id: verdicts.seq,
        call: verdicts.call,
        criterion: verdicts.criterion,
        outcome: verdicts.outcome,
        value: verdicts.value,
      })
      .from(verdicts)
      .where(and(eq(verdicts.sample, sample), inArray(verdicts.call, [...ids])))
      .orderBy(asc(verdicts.seq))
      .all();
  }
}

const toOutcome = (outcome: string) => PastAttempt.shape.verdicts.element.shape.outcome.parse(outcome);

function toReceipt(row: typeof replies.$inferSelect): CallReceipt {
  return {
    usage: row.usage === null ? null : Usage.parse(JSON.parse(row.usage)),
    cost_usd: row.costUsd,
    served_model: row.servedModel,
    fingerprint: row.fingerprint,
    request_id: row.requestId,
    ms: row.ms,
    lost: row.lost === 1,
    raw: row.raw,
  };
}
