import type { Limits } from '../../core/suite.ts';
import { type Agent, AgentFinal, type AgentSource, type AgentTask, type ToolResult } from './agent.ts';
import type { SandboxStop } from './sandbox.ts';

/** How an agent's part of a trial ended. */
export type AgentEnd =
  | { end: 'returned'; final: AgentFinal }
  /** The agent's own fault: it threw, or returned what is no final. */
  | { end: 'failed'; reason: string }
  | { end: 'out_of_steps' }
  | { end: 'timed_out' }
  /** Not the agent's fault: the sandbox broke, or the run was stopped. */
  | { end: 'errored'; error: string };

export interface AgentRunOptions {
  source: AgentSource;
  task: AgentTask;
  limits: Limits;
  call(tool: unknown, args: unknown): Promise<ToolResult>;
  log(line: string): void;
  /** The tool that the sandbox is carrying out, or null. */
  running(): string | null;
  /** Stops the whole run. */
  signal: AbortSignal;
}

export interface AgentRun {
  ended: Promise<AgentEnd>;
  /** Ends the trial from the sandbox's side. */
  stop(stop: SandboxStop): void;
  /** Fires when the trial is over, whatever ended it. */
  signal: AbortSignal;
}

/** Starts an agent in this process and watches over it: it ends by its own word, a limit, a fault or a stop. */
export function startAgent(options: AgentRunOptions): AgentRun {
  const over = new AbortController();
  let settle: (end: AgentEnd) => void = () => {};
  const ended = new Promise<AgentEnd>((resolve) => {
    settle = resolve;
  });
  const deadline = setTimeout(() => settle(deadlineEnd(options)), options.limits.seconds * 1000);
  const stopped = () => settle({ end: 'errored', error: 'the run was stopped' });
  options.signal.addEventListener('abort', stopped, { once: true });
  if (options.signal.aborted) stopped();
  else converse(options, over.signal).then(settle);
  ended.then(() => {
    clearTimeout(deadline);
    options.signal.removeEventListener('abort', stopped);
    over.abort();
  });
  return { ended, stop: (stop) => settle(stopEnd(stop)), signal: over.signal };
}

/** A hanging tool is the sandbox's fault, a thinking agent its own. */
function deadlineEnd({ running, limits }: AgentRunOptions): AgentEnd {
  const tool = running();
  return tool === null
    ? { end: 'timed_out' }
    : { end: 'errored', error: `${tool} of the sandbox did not answer within ${limits.seconds} s` };
}

function stopEnd(stop: SandboxStop): AgentEnd {
  return stop.why === 'steps'
    ? { end: 'out_of_steps' }
    : { end: 'errored', error: `the sandbox's ${stop.tool} broke: ${messageOf(stop.error)}` };
}

async function converse(options: AgentRunOptions, signal: AbortSignal): Promise<AgentEnd> {
  const { source, task, call, log } = options;
  let said: Awaited<ReturnType<Agent>>;
  try {
    const agent = await source.load();
    said = await agent(task, { tools: { call }, signal, log });
  } catch (error) {
    return { end: 'failed', reason: `the agent threw: ${messageOf(error)}` };
  }
  const final = AgentFinal.safeParse(typeof said === 'string' ? { output: said } : (said ?? {}));
  if (final.success) return { end: 'returned', final: final.data };
  const [issue] = final.error.issues;
  return {
    end: 'failed',
    reason: `the agent returned no final: ${issue?.path.join('.')} ${issue?.message ?? ''}`,
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
