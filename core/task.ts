import { z } from 'zod';
import { Json, JsonObject } from './json.ts';
import { Slug, VersionRef } from './rubric.ts';

/** Conditions on an event's fields: `amount_lte: 129` reads field `amount`; no suffix means equal. */
export const Conditions = JsonObject;
export type Conditions = z.infer<typeof Conditions>;

/** An event (or a state path) and what must hold of it. */
export const Predicate = z.strictObject({ event: z.string().min(1), where: Conditions });
export type Predicate = z.infer<typeof Predicate>;

/** Accepts `refund.created`, `{refund.created: {…}}` and `[refund.created, {…}]`: all the shapes people write. */
const PredicateShape = z
  .union([
    z
      .string()
      .min(1)
      .transform((event) => ({ event, where: {} })),
    z.tuple([z.string().min(1), Conditions]).transform(([event, where]) => ({ event, where })),
    z.record(z.string().min(1), Conditions).transform((entry, ctx) => {
      const pairs = Object.entries(entry);
      const [pair] = pairs;
      if (pair === undefined || pairs.length > 1) {
        ctx.addIssue({
          code: 'custom',
          message: 'one event a line, such as refund.created: {order_id: "88412"}',
        });
        return z.NEVER;
      }
      return { event: pair[0], where: pair[1] };
    }),
  ])
  .pipe(Predicate);

export const TaskKind = z.enum(['normal', 'refuse', 'attack']);
export type TaskKind = z.infer<typeof TaskKind>;

/** Rules on the trace. */
export const TrajectoryRules = z.strictObject({
  require: z.array(z.string()).default([]),
  forbid: z.array(z.string()).default([]),
  before: z
    .array(
      z.strictObject({
        first: z.string(),
        then: z.string(),
        bound_to: z.enum(['arguments', 'any']).default('any'),
      }),
    )
    .default([]),
  no_repeats: z.boolean().default(true),
});
export type TrajectoryRules = z.infer<typeof TrajectoryRules>;

/** A fault that the sandbox puts in: the nth call of a tool fails in this way. */
export const ToolFault = z.strictObject({
  tool: z.string(),
  call: z.number().int().positive(),
  error: z.enum(['timeout', 'error', 'rate_limited']),
});
export type ToolFault = z.infer<typeof ToolFault>;

/**
 * How the approver answers a request: the first rule whose tool and conditions on the arguments fit decides; with
 * none, the request is approved. `change` approves something else: the asked arguments with these put over them.
 */
export const ApprovalRule = z.discriminatedUnion('decision', [
  z.strictObject({
    tool: z.string(),
    where: Conditions.default({}),
    decision: z.enum(['approve', 'deny']),
    reason: z.string().default(''),
  }),
  z.strictObject({
    tool: z.string(),
    where: Conditions.default({}),
    decision: z.literal('change'),
    arguments: JsonObject,
    reason: z.string().default(''),
  }),
]);
export type ApprovalRule = z.infer<typeof ApprovalRule>;

/** One test case of a suite. */
export const Task = z.strictObject({
  id: z
    .string()
    .min(1)
    .max(120)
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'letters, digits, dot, dash, underscore'),
  input: z.string().min(1),
  /** Path of a JSON file beside the suite, or the state itself. */
  seed_state: z.union([z.string().min(1), JsonObject]),
  tags: z.record(z.string(), z.string()).default({}),
  must: z.array(PredicateShape).default([]),
  must_not: z.array(PredicateShape).default([]),
  /** Paths of the state that may differ at the end; absent = anything may. */
  may_change: z.array(z.string()).optional(),
  trajectory: TrajectoryRules.default(TrajectoryRules.parse({})),
  max_steps: z.number().int().positive().default(12),
  split: z.enum(['dev', 'holdout', 'smoke']).default('dev'),
  faults: z.array(ToolFault).default([]),
  /** What the approver says in this task; nothing said = every request is approved. */
  approvals: z.array(ApprovalRule).default([]),
  from: z.record(z.string(), Json).optional(),
});
export type Task = z.infer<typeof Task>;

/** Which judge looks at what of a trial, and whether a trial can pass without it. */
export const JudgeUse = z.strictObject({
  judge: VersionRef,
  /** The artifact that it reads: the sandbox's drafted reply (or the agent's final output, a claim) by name. */
  on: Slug,
  required: z.boolean().default(true),
  /** Accept a calibration made on simulated answers; the report then says so. */
  allow_simulated: z.boolean().default(false),
});
export type JudgeUse = z.infer<typeof JudgeUse>;
