import { z } from 'zod';
import { Quote } from './evidence.ts';
import { Slug } from './rubric.ts';
import { SampleId } from './sample.ts';
import { LevelValue } from './scale.ts';
import { Usage } from './trace.ts';

/** Why a judge's answer is no value. None of these is ever a pass, a fail or a zero. */
export const UnscoredReason = z.enum([
  'abstained',
  'not_applicable',
  /** There was no answer to judge, so that the judge was not asked. */
  'trivial',
  'unsupported',
  'refused',
  'filtered',
  'truncated',
  'invalid',
  'provider_error',
  'unknown',
  'stopped',
]);
export type UnscoredReason = z.infer<typeof UnscoredReason>;

/** How many verdicts were no value, by reason; `missing` = no verdict was ever made. */
export const UnscoredCounts = z.partialRecord(
  z.union([UnscoredReason, z.literal('missing')]),
  z.number().int(),
);
export type UnscoredCounts = z.infer<typeof UnscoredCounts>;

/** In which order a pair was shown: `ab` = answer A stood first. */
export const PairOrder = z.enum(['ab', 'ba']);
export type PairOrder = z.infer<typeof PairOrder>;

/** The longest reason that is kept, characters. */
export const MOST_REASON = 20_000;

/** What one judge said of one sample on one criterion. */
export const Outcome = z.discriminatedUnion('outcome', [
  z.strictObject({
    outcome: z.literal('scored'),
    /** A level's value; for pairs it names the answer (a, b, tie), not the slot. */
    value: LevelValue,
    reason: z.string().max(MOST_REASON),
    quotes: z.array(Quote),
  }),
  z.strictObject({
    outcome: UnscoredReason,
    /** What happened, in words. */
    reason: z.string().max(MOST_REASON),
    quotes: z.array(Quote).default([]),
  }),
]);
export type Outcome = z.infer<typeof Outcome>;

/** Which judge: a version of ours, or a foreign one (`foreign:<name>`), whose verdicts came with a file. */
export const JudgeName = z
  .string()
  .regex(/^(foreign:.{1,150}|[a-z0-9][a-z0-9._-]{0,79}@[1-9][0-9]{0,5})$/, 'judge@version or foreign:name');
export type JudgeName = z.infer<typeof JudgeName>;

/** One verdict as it is stored. */
export const Verdict = z.strictObject({
  judge: JudgeName,
  judge_hash: z.string(),
  rubric_hash: z.string(),
  sample: SampleId,
  criterion: Slug,
  order: PairOrder.nullable(),
  repeat: z.number().int().positive(),
  result: Outcome,
  served_model: z.string().nullable(),
  fingerprint: z.string().nullable(),
  at: z.iso.datetime(),
});
export type Verdict = z.infer<typeof Verdict>;

/** What one call to a provider came to, kept whatever its outcome. */
export const CallReceipt = z.strictObject({
  usage: Usage.nullable(),
  cost_usd: z.number().nonnegative().nullable(),
  served_model: z.string().nullable(),
  fingerprint: z.string().nullable(),
  request_id: z.string().nullable(),
  ms: z.number().nonnegative(),
  /** It was sent and no answer was read: it may have been done and billed. */
  lost: z.boolean(),
  /** The reply as it came, cut at 64 KiB. */
  raw: z.string().nullable(),
});
export type CallReceipt = z.infer<typeof CallReceipt>;

/** Shape of the reply that a judge is asked for: quotes, then the reason, then the value. */
export const JudgeReply = z.object({
  evidence: z.array(
    z.object({
      field: z.string(),
      step: z.number().int().positive().nullish(),
      quote: z.string(),
      /** Nobody asks for offsets; where a judge gives some, they are held against ours. */
      start: z.number().nullish().catch(null),
      end: z.number().nullish().catch(null),
    }),
  ),
  reason: z.string(),
  value: z.union([z.string(), z.number(), z.boolean()]),
});
export type JudgeReply = z.infer<typeof JudgeReply>;
