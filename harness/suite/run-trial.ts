import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '../../core/json.ts';
import type { Step } from '../../core/trace.ts';
import type { Trial } from '../../core/trial.ts';
import type { AgentTask } from './agent.ts';
import { type AgentEnd, startAgent } from './agent-run.ts';
import { describeTools } from './describe-tools.ts';
import { FINAL, type ReadableArtifact } from './grade/judged.ts';
import { gradeTrial } from './grade-trial.ts';
import { Sandbox } from './sandbox.ts';
import type { TrialPlan } from './trial-plan.ts';

/** Lines and characters of an agent's own log that are kept. */
const MAX_LOG_LINES = 500;
const MAX_LOG_CHARACTERS = 10_000;

/** Runs one task once: a fresh sandbox and folder, the agent, the end state and trace, the graders. */
export async function runTrial(plan: TrialPlan): Promise<Trial> {
  const { suite, task, tools, now } = plan;
  const began = now();
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-trial-'));
  try {
    const steps: Step[] = [{ type: 'message', role: 'user', content: task.input, tier: 'executed' }];
    const log = agentLog(steps);
    const over = new AbortController();
    const sandbox = new Sandbox({
      tools,
      task,
      seed: plan.seed,
      highRisk: new Set(suite.high_risk),
      stepLimit: suite.limits.steps,
      grantLifetime: suite.approval.expires_after_steps,
      token: plan.newToken(),
      folder,
      signal: over.signal,
      now,
      onStep: (step) => steps.push(step),
      onStop: (stop) => run.stop(stop),
      onLateCall: plan.onLateCall,
    });
    const run = startAgent({
      source: plan.agent,
      task: agentTask(plan),
      limits: suite.limits,
      call: (tool, args) => sandbox.call(tool, args),
      log: log.add,
      running: () => sandbox.running,
      signal: plan.signal,
    });
    const end = await run.ended;
    sandbox.close();
    log.close();
    over.abort();
    steps.push(...finalSteps(end));
    const endState = sandbox.state;
    const read = readArtifacts(plan, end, endState);
    return await gradeTrial({
      ...plan,
      end: read.error === null ? end : { end: 'errored', error: read.error },
      trace: { steps },
      endState,
      artifacts: read.artifacts,
      ms: Math.max(0, now() - began),
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What the agent is told: nothing of checks, tags or the task's name. */
function agentTask({ suite, task, tools }: TrialPlan): AgentTask {
  return {
    instruction: task.input,
    tools: describeTools(tools, suite.high_risk),
    limits: { steps: suite.limits.steps, seconds: suite.limits.seconds },
  };
}

/** The agent's own lines, kept in the trace as its account until the trial is over. */
function agentLog(steps: Step[]): { add(line: string): void; close(): void } {
  let room = MAX_LOG_LINES;
  return {
    add(line) {
      if (room === 0) return;
      room -= 1;
      const content = String(line).slice(0, MAX_LOG_CHARACTERS);
      steps.push({ type: 'message', role: 'assistant', content, tier: 'reported' });
    },
    close() {
      room = 0;
    },
  };
}

/** The agent's last words and what it says that it used: reported, not seen. */
function finalSteps(end: AgentEnd): Step[] {
  if (end.end !== 'returned') return [];
  const { output, usage, cost_usd, model } = end.final;
  const said: Step[] =
    output === '' ? [] : [{ type: 'message', role: 'assistant', content: output, tier: 'reported' }];
  if (usage === undefined && cost_usd === undefined) return said;
  return [
    ...said,
    {
      type: 'model',
      model: model ?? 'not named',
      usage: usage ?? null,
      cost_usd: cost_usd ?? null,
      tier: 'reported',
    },
  ];
}

/** The texts that the sandbox holds, and the agent's last words; a tools module that can't tell them is out of order. */
function readArtifacts(
  { tools, task }: TrialPlan,
  end: AgentEnd,
  endState: JsonObject,
): { artifacts: Record<string, ReadableArtifact>; error: string | null } {
  const artifacts: Record<string, ReadableArtifact> = {};
  if (end.end === 'returned' && end.final.output !== '') {
    artifacts[FINAL] = { text: end.final.output, context: null };
  }
  for (const [name, artifact] of Object.entries(tools.artifacts)) {
    try {
      const text = artifact.text(endState);
      if (text !== null) artifacts[name] = { text, context: artifact.context(endState, task.input) };
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return { artifacts, error: `the sandbox's artifact ${name} broke: ${why}` };
    }
  }
  return { artifacts, error: null };
}
