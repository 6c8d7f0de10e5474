import { type Json, JsonObject } from '../../core/json.ts';
import type { Task, ToolFault } from '../../core/task.ts';
import type { ToolError, TraceEvent } from '../../core/trace.ts';
import { ApprovalRequest, type Approvals, type Grant, REQUEST_APPROVAL } from './approvals.ts';
import type { Change, Tool, Tools } from './define-tools.ts';

/** The longest arguments of one call, UTF-16 units of their JSON. */
const MAX_ARGUMENTS = 1_000_000;
/** The deepest nesting of one call's arguments. */
const MAX_DEPTH = 64;

/** What a call needs to be carried out. */
export interface CallSetting {
  tools: Tools;
  task: Task;
  highRisk: ReadonlySet<string>;
  approvals: Approvals;
  folder: string;
  signal: AbortSignal;
}

/** What a call came to: for the agent, for the trace and for the state. */
export interface CallOutcome {
  arguments: JsonObject;
  reply: { ok: true; result: Json } | { ok: false; error: ToolError };
  approval?: string;
  events: TraceEvent[];
  /** The state afterwards; absent = unchanged. */
  after?: JsonObject;
}

/**
 * Carries out one tool call on a state: arguments, seeded faults, approval, the tool, the events of what changed.
 * A high-risk call without a grant is carried out, as production would: the violation and its effects are evidence.
 * @param step number of the call in the trial; @param nth number of calls of this tool so far, this one included.
 * @throws whatever the tools module throws: a fault of the sandbox.
 */
export async function carryOut(
  setting: CallSetting,
  name: string,
  given: unknown,
  state: JsonObject,
  step: number,
  nth: number,
): Promise<CallOutcome> {
  const args = readArguments(given);
  if (args === null) {
    return refused({}, 'invalid_arguments', `the arguments of ${name} are no JSON object that can be read`);
  }
  if (name === REQUEST_APPROVAL) return requestApproval(setting, args, step);
  const tool = toolNamed(setting.tools, name);
  if (tool === undefined) return refused(args, 'unknown_tool', `there is no tool "${name}"`);
  const checked = checkArguments(tool, args);
  if (!checked.ok) return refused(args, 'invalid_arguments', checked.message);
  const fault = setting.task.faults.find((one) => one.tool === name && one.call === nth);
  if (fault !== undefined) {
    return { arguments: checked.args, reply: { ok: false, error: faultError(fault) }, events: [] };
  }
  return runTool(setting, { name, tool, args: checked.args }, state, step);
}

async function runTool(
  { approvals, highRisk, tools, task, folder, signal }: CallSetting,
  { name, tool, args }: { name: string; tool: Tool; args: JsonObject },
  before: JsonObject,
  step: number,
): Promise<CallOutcome> {
  const cover = highRisk.has(name) ? approvals.cover(name, args, step) : null;
  const grant: Grant | null = cover !== null && 'grant' in cover ? cover.grant : null;
  const unapproved: TraceEvent[] =
    cover !== null && 'why' in cover
      ? [{ kind: 'call.unapproved', fields: { tool: name, arguments: args, why: cover.why } }]
      : [];
  const run = await tool.run(before, args, { step, folder, signal });
  if (!run.ok) return { arguments: args, reply: { ok: false, error: run.error }, events: unapproved };
  if (grant !== null) approvals.spend(grant, step);
  const approval = cover === null ? 'not_needed' : grant === null ? 'missing' : 'granted';
  const call = { tool: name, arguments: args, result: run.result, approval } as const;
  const change = { before, after: run.after, call, instruction: task.input };
  return {
    arguments: args,
    reply: { ok: true, result: run.result },
    ...(grant !== null && { approval: grant.id }),
    events: [...unapproved, ...derivedEvents(tools, change)],
    after: run.after,
  };
}

function derivedEvents(tools: Tools, change: Change<JsonObject>): TraceEvent[] {
  return Object.entries(tools.events).flatMap(([kind, event]) =>
    event.derive(change).map((fields) => ({ kind, fields })),
  );
}

function requestApproval({ tools, approvals }: CallSetting, args: JsonObject, step: number): CallOutcome {
  const request = ApprovalRequest.safeParse(args);
  if (!request.success) return refused(args, 'invalid_arguments', issuesText(request.error));
  const tool = toolNamed(tools, request.data.tool);
  if (tool === undefined) return refused(args, 'unknown_tool', `there is no tool "${request.data.tool}"`);
  const checked = checkArguments(tool, request.data.arguments);
  if (!checked.ok) return refused(args, 'invalid_arguments', `${request.data.tool}: ${checked.message}`);
  const asked = { ...request.data, arguments: checked.args };
  const decision = approvals.decide(asked, step, (changed) => JsonObject.parse(tool.input.parse(changed)));
  if (decision.decision === 'denied') {
    return {
      arguments: args,
      reply: { ok: true, result: { decision: 'denied', reason: decision.reason } },
      events: [
        {
          kind: 'approval.denied',
          fields: { tool: asked.tool, arguments: asked.arguments, reason: decision.reason },
        },
      ],
    };
  }
  const { grant, ...told } = decision;
  return {
    arguments: args,
    reply: { ok: true, result: { ...told, grant: grant.id, valid_until_call: grant.lastStep } },
    events: [
      {
        kind: 'approval.granted',
        fields: { tool: asked.tool, arguments: decision.arguments, decision: decision.decision },
      },
    ],
  };
}

/** A plain JSON copy of what the agent handed over; null where it is no JSON object, too large or too deep. */
function readArguments(given: unknown): JsonObject | null {
  const text = jsonText(given);
  if (text === null || text.length > MAX_ARGUMENTS) return null;
  const plain: unknown = JSON.parse(text);
  if (!isShallow(plain, MAX_DEPTH)) return null;
  const read = JsonObject.safeParse(plain);
  return read.success ? read.data : null;
}

/** The value comes from the agent: cycles, hostile toJSON and the like are its failure, not ours. */
function jsonText(given: unknown): string | null {
  try {
    return JSON.stringify(given) ?? null;
  } catch {
    return null;
  }
}

function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depth > 0 && Object.values(value).every((inner) => isShallow(inner, depth - 1));
}

function checkArguments(
  tool: Tool,
  args: JsonObject,
): { ok: true; args: JsonObject } | { ok: false; message: string } {
  const checked = tool.input.safeParse(args);
  return checked.success
    ? { ok: true, args: JsonObject.parse(checked.data) }
    : { ok: false, message: issuesText(checked.error) };
}

function issuesText(error: { issues: readonly { path: readonly PropertyKey[]; message: string }[] }): string {
  return error.issues
    .map((issue) => [issue.path.join('.'), issue.message].filter(Boolean).join(': '))
    .join('; ');
}

function toolNamed(tools: Tools, name: string): Tool | undefined {
  return Object.hasOwn(tools.tools, name) ? tools.tools[name] : undefined;
}

function faultError({ tool, error }: ToolFault): ToolError {
  switch (error) {
    case 'timeout':
      return { code: 'timeout', message: `${tool} did not answer in time`, retryable: true };
    case 'rate_limited':
      return { code: 'rate_limited', message: `${tool}: too many requests`, retryable: true };
    case 'error':
      return { code: 'error', message: `${tool}: internal error`, retryable: false };
  }
}

function refused(args: JsonObject, code: string, message: string): CallOutcome {
  return { arguments: args, reply: { ok: false, error: { code, message, retryable: false } }, events: [] };
}
