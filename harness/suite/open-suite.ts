import { join } from 'node:path';
import { z } from 'zod';
import type { JsonObject } from '../../core/json.ts';
import { type Place, Problem } from '../../core/problem.ts';
import { Suite } from '../../core/suite.ts';
import { Task } from '../../core/task.ts';
import { moduleSources, readSeed, readSuite, readTasks, suiteFile } from '../workspace/suites.ts';
import { dataFolder, shownPath, type Workspace } from '../workspace/workspace.ts';
import type { Agent, AgentSource } from './agent.ts';
import { APPROVAL_EVENTS, REQUEST_APPROVAL } from './approvals.ts';
import { checkSuite, checkTask } from './check-task.ts';
import type { Tools } from './define-tools.ts';
import { describeTools } from './describe-tools.ts';
import { FINAL } from './grade/judged.ts';
import { createModuleLoader } from './load-module.ts';

/** A task that is ready to run. */
export interface OpenTask {
  task: Task;
  /** From the workspace's root. */
  file: string;
  /** Checked and frozen: every trial begins with a copy. */
  seed: JsonObject;
}

/** A suite with its tools and tasks, each checked against the other. */
export interface OpenSuite {
  suite: Suite;
  tools: Tools;
  tasks: OpenTask[];
  /** Text of the tools module and what it imports below suites/. */
  sources: Record<string, string>;
}

/** Opens a suite. @throws Problem that names file and line of every fault: nothing runs before all checks can speak. */
export async function openSuite(workspace: Workspace, id: string): Promise<OpenSuite> {
  const plain = readSuite(workspace, id, Suite);
  const at: Place = { file: `suites/${id}/suite.yaml`, path: 'tools' };
  const toolsPath = suiteFile(workspace, id, plain.tools, at);
  const shown = shownPath(workspace, toolsPath);
  const loadModule = await createModuleLoader(translations(workspace));
  const tools = asTools(await loadModule(toolsPath, shown), shown);
  const suite = readSuite(workspace, id, Suite.superRefine(checkSuite(tools)));
  const seedOf = (task: Task) => openSeed(workspace, id, tools, task);
  const files = readTasks(workspace, id, Task.superRefine(checkTask(suite, tools, seedOf)));
  return {
    suite,
    tools,
    tasks: files.map(({ task, file }) => ({ task, file, seed: deepFreeze(seedOf(task)) })),
    sources: moduleSources(workspace, toolsPath),
  };
}

/**
 * The agent that a run tries: the suite's own, or one of its `agents` by name. Each trial gets a fresh copy of the module.
 * @throws Problem `no_agent`, `bad_module`.
 */
export async function openAgent(workspace: Workspace, suite: Suite, name?: string): Promise<AgentSource> {
  const others = new Map(Object.entries(suite.agents));
  const run = name === undefined ? suite.agent.run : others.get(name);
  if (run === undefined) {
    throw new Problem('no_agent', `suite ${suite.suite} has no agent "${name}"`, {
      remedy: `Name one of: ${[...others.keys()].join(', ') || '(its suite.yaml lists none under agents)'}.`,
    });
  }
  const file = `suites/${suite.suite}/suite.yaml`;
  const path = suiteFile(workspace, suite.suite, run, { file, path: name ? `agents.${name}` : 'agent.run' });
  const shown = shownPath(workspace, path);
  const loadModule = await createModuleLoader(translations(workspace));
  const load = async () => asAgent(await loadModule(path, shown), shown);
  await load();
  return { name: name ?? run, load };
}

function translations(workspace: Workspace): string {
  return join(dataFolder(workspace), 'modules');
}

const ToolsModule = z.custom<Tools>(
  (value) =>
    typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'touchstone.tools/1',
);
const AgentModule = z.custom<Agent>((value) => typeof value === 'function');

function asTools(value: unknown, shown: string): Tools {
  const read = ToolsModule.safeParse(value);
  if (!read.success) throw badModule(shown, 'its default export is not made by defineTools({…})');
  const tools = read.data;
  for (const kind of Object.keys(tools.events)) {
    if (kind.startsWith('state.')) throw badModule(shown, `event "${kind}" reads like a path of the state`);
    if (Object.hasOwn(APPROVAL_EVENTS, kind)) throw badModule(shown, `event "${kind}" is the sandbox's own`);
  }
  if (Object.hasOwn(tools.tools, REQUEST_APPROVAL)) {
    throw badModule(shown, `tool "${REQUEST_APPROVAL}" is the sandbox's own`);
  }
  if (Object.hasOwn(tools.artifacts, FINAL)) {
    throw badModule(shown, `artifact "${FINAL}" is the agent's own last words`);
  }
  assertDescribable(tools, shown);
  return tools;
}

/**
 * Agents are told of arguments by JSON Schema, and what they sent is what is approved, kept and run: an input that has
 * no JSON Schema on either side, such as a transform, has no place here.
 */
function assertDescribable(tools: Tools, shown: string): void {
  try {
    describeTools(tools, []);
    for (const { input } of Object.values(tools.tools)) z.toJSONSchema(input, { io: 'output' });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw badModule(shown, `the input of a tool has no JSON Schema: ${why}`);
  }
}

function asAgent(value: unknown, shown: string): Agent {
  const read = AgentModule.safeParse(value);
  if (read.success) return read.data;
  throw badModule(shown, 'its default export is no function (task, {tools, signal, log})');
}

function badModule(shown: string, message: string): Problem {
  return new Problem('bad_module', `${shown}: ${message}`, {
    remedy: 'Mend the module; docs/suites.md shows its shape.',
    at: [{ file: shown }],
  });
}

function openSeed(workspace: Workspace, id: string, tools: Tools, task: Task): JsonObject {
  const { seed_state } = task;
  const inline = typeof seed_state !== 'string';
  const at: Place = { file: `suites/${id}/tasks`, path: 'seed_state' };
  const raw = inline ? seed_state : readSeed(workspace, suiteFile(workspace, id, seed_state, at));
  try {
    return tools.readState(raw);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    const [issue] = error.issues;
    const place = issue === undefined ? '' : `${issue.path.join('.')}: ${issue.message}`;
    throw new Problem(
      'bad_seed',
      `${inline ? 'the seed state' : seed_state} is no state of the tools: ${place}`,
      {
        remedy: 'Correct the seed state, or the state schema of the tools module.',
      },
    );
  }
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) deepFreeze(inner);
    Object.freeze(value);
  }
  return value;
}
