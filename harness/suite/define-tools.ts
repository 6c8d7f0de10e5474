import type { z } from 'zod';
import { Json, JsonObject } from '../../core/json.ts';
import type { ToolError } from '../../core/trace.ts';

export type { Agent, AgentContext, AgentTask, ToolResult } from './agent.ts';

/** What a tool may know and do beside the state. */
export interface ToolContext {
  /** Number of this tool call in the trial, from 1. */
  step: number;
  /** An empty folder of this trial alone; removed when the trial ends. */
  folder: string;
  signal: AbortSignal;
  /** Refuses the call as the real tool would: the agent sees the code and message, the state stays as it was. */
  fail(code: string, message: string, retryable?: boolean): ToolFailure;
}

/** A failure that the real tool could answer with; made by `context.fail`. */
export class ToolFailure {
  readonly error: ToolError;
  constructor(error: ToolError) {
    this.error = error;
  }
}

/** A fake of one production tool: same name, same input, acting on the state alone. */
export interface ToolDefinition<State, Input extends z.ZodType> {
  description: string;
  input: Input;
  /** Changes `state` in place. An exception is a fault of the sandbox, never of the agent. */
  run(
    state: State,
    args: z.output<Input>,
    context: ToolContext,
  ): Json | ToolFailure | Promise<Json | ToolFailure>;
}

/** What one call changed. */
export interface Change<State> {
  before: State;
  after: State;
  call: {
    tool: string;
    arguments: JsonObject;
    result: Json;
    /** The sandbox's own finding; `missing` only for high-risk tools. */
    approval: 'granted' | 'missing' | 'not_needed';
  };
  instruction: string;
}

/** An event that checks can name, worked out from a change of state; its fields are what conditions may ask for. */
export interface EventDefinition<State, Fields extends z.ZodObject> {
  fields: Fields;
  derive(change: Change<State>): z.input<Fields>[];
}

/** A text that the state holds and a judge may read, with what the judge may hold it against. */
export interface ArtifactDefinition<State> {
  text(state: State): string | null;
  context?(state: State, instruction: string): string;
}

export interface ToolsDefinition<
  State,
  Inputs extends Record<string, z.ZodType>,
  Events extends Record<string, z.ZodObject>,
> {
  /** The shape of the seed states and of every state after a call. */
  state: z.ZodType<State>;
  tools: { [Name in keyof Inputs]: ToolDefinition<State, Inputs[Name]> };
  events: { [Kind in keyof Events]: EventDefinition<State, Events[Kind]> };
  artifacts?: Record<string, ArtifactDefinition<State>>;
}

/** A tools module as the sandbox runs it: every state and argument is checked on its way in and out. */
export interface Tools {
  readonly kind: 'touchstone.tools/1';
  /** A fresh, checked copy. @throws ZodError */
  readState(value: unknown): JsonObject;
  tools: Record<string, Tool>;
  events: Record<string, EventKind>;
  artifacts: Record<string, Artifact>;
}

export interface Tool {
  description: string;
  input: z.ZodType;
  /** Runs on a copy of the state, which the caller keeps if the call succeeded. */
  run(state: JsonObject, args: unknown, context: Omit<ToolContext, 'fail'>): Promise<ToolRun>;
}

export type ToolRun = { ok: true; result: Json; after: JsonObject } | { ok: false; error: ToolError };

export interface EventKind {
  fields: z.ZodObject;
  derive(change: Change<JsonObject>): JsonObject[];
}

export interface Artifact {
  text(state: JsonObject): string | null;
  context(state: JsonObject, instruction: string): string | null;
}

/** Declares a suite's tools, the events that checks can name and the texts that judges can read. */
export function defineTools<
  State,
  Inputs extends Record<string, z.ZodType>,
  Events extends Record<string, z.ZodObject>,
>(definition: ToolsDefinition<State, Inputs, Events>): Tools {
  const { state } = definition;
  return {
    kind: 'touchstone.tools/1',
    readState: (value) => JsonObject.parse(state.parse(value)),
    tools: mapValues(definition.tools, (tool) => bindTool(state, tool)),
    events: mapValues(definition.events, (event) => bindEvent(state, event)),
    artifacts: mapValues(definition.artifacts ?? {}, (artifact) => ({
      text: (held) => artifact.text(state.parse(held)),
      context: (held, instruction) => artifact.context?.(state.parse(held), instruction) ?? null,
    })),
  };
}

function bindTool<State, Input extends z.ZodType>(
  schema: z.ZodType<State>,
  tool: ToolDefinition<State, Input>,
): Tool {
  return {
    description: tool.description,
    input: tool.input,
    async run(before, args, context) {
      const state = schema.parse(structuredClone(before));
      const outcome = await tool.run(state, tool.input.parse(args), { ...context, fail });
      if (outcome instanceof ToolFailure) return { ok: false, error: outcome.error };
      return { ok: true, result: Json.parse(outcome), after: JsonObject.parse(schema.parse(state)) };
    },
  };
}

function fail(code: string, message: string, retryable = false): ToolFailure {
  return new ToolFailure({ code, message, retryable });
}

function bindEvent<State, Fields extends z.ZodObject>(
  schema: z.ZodType<State>,
  event: EventDefinition<State, Fields>,
): EventKind {
  return {
    fields: event.fields,
    derive: (change) =>
      event
        .derive({ ...change, before: schema.parse(change.before), after: schema.parse(change.after) })
        .map((fields) => JsonObject.parse(event.fields.parse(fields))),
  };
}

function mapValues<Record_ extends object, Out>(
  record: Record_,
  change: (value: Record_[keyof Record_]) => Out,
): Record<string, Out> {
  const out: Record<string, Out> = {};
  for (const name in record) out[name] = change(record[name]);
  return out;
}
