import { z } from 'zod';
import type { Json, JsonObject } from '../../core/json.ts';
import { type ToolError, Usage } from '../../core/trace.ts';

/** What the agent is told of a tool. */
export interface ToolDescription {
  name: string;
  description: string;
  /** JSON Schema of the arguments. */
  input_schema: JsonObject;
  /** A call needs a grant of `request_approval` for exactly its arguments. */
  needs_approval: boolean;
}

/** All that an agent is told. Checks, expectations, tags and the task's name are not among it. */
export interface AgentTask {
  instruction: string;
  tools: ToolDescription[];
  limits: { steps: number; seconds: number };
}

export type ToolResult = { ok: true; result: Json } | { ok: false; error: ToolError };

export interface AgentContext {
  tools: {
    /** Calls a tool of the sandbox; a failure is a value, never an exception. */
    call(tool: string, args: JsonObject): Promise<ToolResult>;
  };
  /** Fires when the trial is over: out of steps, out of time, or stopped. */
  signal: AbortSignal;
  /** Keeps a line in the trace, as the agent's own account. */
  log(line: string): void;
}

/** What an agent says at the end: its account, which no grader of states or traces believes. */
export const AgentFinal = z.strictObject({
  output: z.string().max(1_000_000).default(''),
  usage: Usage.optional(),
  cost_usd: z.number().nonnegative().optional(),
  model: z.string().optional(),
});
export type AgentFinal = z.output<typeof AgentFinal>;

/** An agent module's default export. A returned text is short for `{output: text}`. */
export type Agent = (
  task: AgentTask,
  context: AgentContext,
) => Promise<string | z.input<typeof AgentFinal> | undefined>;

/** Where a trial gets its agent: loaded afresh, so that no module keeps anything from one trial to the next. */
export interface AgentSource {
  name: string;
  load(): Promise<Agent>;
}
