import type { JsonObject } from '../../core/json.ts';
import type { Task } from '../../core/task.ts';
import type { ToolStep } from '../../core/trace.ts';
import type { ToolResult } from './agent.ts';
import { Approvals } from './approvals.ts';
import type { Tools } from './define-tools.ts';
import { type CallOutcome, carryOut } from './tool-call.ts';

/** Calls after the end that are answered; later ones never are. */
const MAX_LATE_CALLS = 10;

/** Why a sandbox ends a trial before the agent does. */
export type SandboxStop = { why: 'steps' } | { why: 'broken'; tool: string; error: unknown };

export interface SandboxOptions {
  tools: Tools;
  task: Task;
  /** The state that the trial begins with; never changed. */
  seed: JsonObject;
  highRisk: ReadonlySet<string>;
  /** Tool calls after which the trial is ended. */
  stepLimit: number;
  /** Tool calls for which an approval lasts. */
  grantLifetime: number;
  /** This trial's own name: grants carry it. */
  token: string;
  /** An empty folder of this trial alone. */
  folder: string;
  signal: AbortSignal;
  /** Milliseconds since 1970. */
  now: () => number;
  onStep(step: ToolStep): void;
  onStop(stop: SandboxStop): void;
  /** A call that came after the end: refused, and no part of the trace. */
  onLateCall(tool: string): void;
}

/** The world of one trial: its state, its approver and the only way to either. It executes, so its word is evidence. */
export class Sandbox {
  #options: SandboxOptions;
  #approvals: Approvals;
  #state: JsonObject;
  #calls = new Map<string, number>();
  #taken = 0;
  #late = 0;
  #closed = false;
  #running: string | null = null;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(options: SandboxOptions) {
    this.#options = options;
    this.#approvals = new Approvals(options.task.approvals, options.grantLifetime, options.token);
    this.#state = structuredClone(options.seed);
  }

  /** A copy of the state as it stands. */
  get state(): JsonObject {
    return structuredClone(this.#state);
  }

  /** The tool that is being carried out, or null. */
  get running(): string | null {
    return this.#running;
  }

  /** Carries out one call after all earlier ones. Every failure is a value; it never rejects. */
  call(tool: unknown, args: unknown): Promise<ToolResult> {
    const turn = this.#queue.then(() => this.#take(typeof tool === 'string' ? tool : '(no name)', args));
    this.#queue = turn;
    return turn;
  }

  /** Ends the trial: no later call reaches a tool. */
  close(): void {
    this.#closed = true;
  }

  async #take(tool: string, args: unknown): Promise<ToolResult> {
    if (this.#closed) return this.#refuseLate(tool);
    const { stepLimit, now } = this.#options;
    const began = now();
    this.#taken += 1;
    if (this.#taken > stepLimit) {
      const refusal = failure('step_limit', `no more than ${stepLimit} tool calls`);
      this.#record(tool, { arguments: {}, reply: refusal, events: [] }, began);
      return this.#stop({ why: 'steps' }, refusal);
    }
    return this.#carryOut(tool, args, began);
  }

  /** Waits a turn of the event loop, and answers no more after a while: an agent that calls on and on must not hold us. */
  async #refuseLate(tool: string): Promise<ToolResult> {
    this.#late += 1;
    if (this.#late > MAX_LATE_CALLS) return new Promise(() => {});
    this.#options.onLateCall(tool);
    await new Promise((resolve) => setImmediate(resolve));
    return failure('trial_ended', 'the trial is over');
  }

  async #carryOut(tool: string, args: unknown, began: number): Promise<ToolResult> {
    const nth = (this.#calls.get(tool) ?? 0) + 1;
    this.#calls.set(tool, nth);
    this.#running = tool;
    try {
      const setting = { ...this.#options, approvals: this.#approvals };
      const outcome = await carryOut(setting, tool, args, this.#state, this.#taken, nth);
      if (this.#closed) return failure('trial_ended', 'the trial is over');
      if (outcome.after !== undefined) this.#state = outcome.after;
      this.#record(tool, outcome, began);
      return structuredClone(outcome.reply);
    } catch (error) {
      const broken = failure('sandbox_error', `${tool} is out of order`);
      if (!this.#closed) this.#record(tool, { arguments: {}, reply: broken, events: [] }, began);
      return this.#stop({ why: 'broken', tool, error }, broken);
    } finally {
      this.#running = null;
    }
  }

  #stop(stop: SandboxStop, answer: ToolResult): ToolResult {
    this.close();
    this.#options.onStop(stop);
    return answer;
  }

  #record(tool: string, { arguments: args, reply, approval, events }: CallOutcome, began: number): void {
    this.#options.onStep({
      type: 'tool',
      tool: tool.slice(0, 200) || '(no name)',
      arguments: args,
      ...reply,
      ...(approval !== undefined && { approval }),
      events,
      at: new Date(began).toISOString(),
      ms: Math.max(0, this.#options.now() - began),
      tier: 'executed',
    });
  }
}

function failure(code: string, message: string): { ok: false; error: ToolResultError } {
  return { ok: false, error: { code, message, retryable: false } };
}

type ToolResultError = Extract<ToolResult, { ok: false }>['error'];
