import { z } from 'zod';
import { Json, JsonObject } from './json.ts';

/** How an event is known: we executed it, saw it pass through a proxy of ours, or were told of it. */
export const EvidenceTier = z.enum(['executed', 'proxied', 'reported']);
export type EvidenceTier = z.infer<typeof EvidenceTier>;

/**
 * What a model call used, in tokens. `input` counts all input, cached or not; `cacheWriteHour` is the part of
 * `cacheWrite` that is kept for an hour; `reasoning` is part of `output`.
 */
export const Usage = z.strictObject({
  input: z.number().int().nonnegative(),
  output: z.number().int().nonnegative(),
  cacheRead: z.number().int().nonnegative().default(0),
  cacheWrite: z.number().int().nonnegative().default(0),
  cacheWriteHour: z.number().int().nonnegative().default(0),
  reasoning: z.number().int().nonnegative().default(0),
});
export type Usage = z.infer<typeof Usage>;

const stepBase = {
  at: z.iso.datetime().optional(),
  ms: z.number().nonnegative().optional(),
  tier: EvidenceTier,
};

/** Something that happened in the sandbox, derived from a state change or a grant: `refund.created`. */
export const TraceEvent = z.strictObject({ kind: z.string().min(1), fields: JsonObject });
export type TraceEvent = z.infer<typeof TraceEvent>;

export const MessageStep = z.strictObject({
  type: z.literal('message'),
  role: z.enum(['system', 'user', 'assistant']),
  content: z.string(),
  ...stepBase,
});
export type MessageStep = z.infer<typeof MessageStep>;

/** How a tool call failed, as the agent was told. */
export const ToolError = z.strictObject({
  code: z.string(),
  message: z.string(),
  retryable: z.boolean().default(false),
});
export type ToolError = z.infer<typeof ToolError>;

export const ToolStep = z.strictObject({
  type: z.literal('tool'),
  tool: z.string().min(1),
  arguments: JsonObject,
  ok: z.boolean(),
  result: Json.optional(),
  error: ToolError.optional(),
  /** The grant that covered a high-risk call, where one did. */
  approval: z.string().optional(),
  events: z.array(TraceEvent).default([]),
  ...stepBase,
});
export type ToolStep = z.infer<typeof ToolStep>;

export const ModelStep = z.strictObject({
  type: z.literal('model'),
  model: z.string(),
  usage: Usage.nullable(),
  cost_usd: z.number().nonnegative().nullable(),
  ...stepBase,
});
export type ModelStep = z.infer<typeof ModelStep>;

export const Step = z.discriminatedUnion('type', [MessageStep, ToolStep, ModelStep]);
export type Step = z.infer<typeof Step>;

/** What a trial or a production run left behind: its steps in order, step 1 first. */
export const Trace = z.strictObject({ steps: z.array(Step).max(20_000) });
export type Trace = z.infer<typeof Trace>;

/** The text of one step, as people read it and quotes are checked against. */
export function stepText(step: Step): string {
  switch (step.type) {
    case 'message':
      return step.content;
    case 'model':
      return `${step.model}`;
    case 'tool': {
      const outcome = step.ok ? (step.result ?? null) : (step.error ?? null);
      return `${step.tool}(${JSON.stringify(step.arguments)})\n${typeof outcome === 'string' ? outcome : JSON.stringify(outcome, null, 2)}`;
    }
  }
}
