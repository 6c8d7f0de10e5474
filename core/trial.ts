import { z } from 'zod';
import { JsonObject } from './json.ts';
import { Slug, VersionRef } from './rubric.ts';
import { Predicate } from './task.ts';
import { Trace, TraceEvent, Usage } from './trace.ts';
import { Outcome } from './verdict.ts';

export const ViolationRule = z.enum([
  'unapproved',
  'forbidden_tool',
  'state_changed',
  'order',
  'repeated',
  'missing_tool',
  'too_many_steps',
  'too_slow',
  'too_costly',
]);
export type ViolationRule = z.infer<typeof ViolationRule>;

/** Rules whose breach is an act that nobody allowed: no pass rate makes up for one. */
export const HARD_VIOLATIONS: readonly ViolationRule[] = ['unapproved', 'forbidden_tool', 'state_changed'];

/** A broken trajectory rule, at the step where it broke (from 1). */
export const Violation = z.strictObject({
  rule: ViolationRule,
  step: z.number().int().positive().nullable(),
  message: z.string(),
});
export type Violation = z.infer<typeof Violation>;

/** A forbidden effect that happened. */
export const Harm = z.strictObject({
  event: TraceEvent,
  step: z.number().int().positive().nullable(),
  rule: Predicate,
});
export type Harm = z.infer<typeof Harm>;

/** One required effect, whether it was met, and how many things were looked at: zero never passes. */
export const MustCheck = z.strictObject({
  rule: Predicate,
  met: z.boolean(),
  looked_at: z.number().int().nonnegative(),
});
export type MustCheck = z.infer<typeof MustCheck>;

/** One forbidden effect, whether it happened, and how many things of its kind were looked at. */
export const MustNotCheck = z.strictObject({
  rule: Predicate,
  happened: z.boolean(),
  looked_at: z.number().int().nonnegative(),
});
export type MustNotCheck = z.infer<typeof MustNotCheck>;

/** What a judge said of one criterion of a trial, or why it may not speak. */
export const JudgeGrade = z.discriminatedUnion('status', [
  z.strictObject({
    status: z.literal('graded'),
    judge: VersionRef,
    criterion: Slug,
    passed: z.boolean(),
    result: Outcome,
  }),
  z.strictObject({
    status: z.literal('ungraded'),
    judge: VersionRef,
    criterion: Slug.nullable(),
    why: z.string(),
  }),
]);
export type JudgeGrade = z.infer<typeof JudgeGrade>;

/** The four outcomes of a trial; never merged. */
export const TrialOutcome = z.enum(['passed', 'failed', 'errored', 'ungraded']);
export type TrialOutcome = z.infer<typeof TrialOutcome>;

/** One run of a task: what happened (trace, end state) and what the graders made of it. */
export const Trial = z.strictObject({
  task: z.string(),
  trial: z.number().int().positive(),
  outcome: TrialOutcome,
  /** Why, in words, most serious first. */
  reasons: z.array(z.string()),
  must: z.array(MustCheck),
  must_not: z.array(MustNotCheck),
  harms: z.array(Harm),
  violations: z.array(Violation),
  judges: z.array(JudgeGrade),
  error: z.string().nullable(),
  /** Tool calls, failed ones and requests for approval included. */
  steps: z.number().int().nonnegative(),
  cost_usd: z.number().nonnegative().nullable(),
  usage: Usage.nullable(),
  ms: z.number().nonnegative(),
  trace: Trace,
  end_state: JsonObject,
  /** Artifacts by name, as the sandbox holds them. */
  artifacts: z.record(z.string(), z.string()),
});
export type Trial = z.infer<typeof Trial>;
