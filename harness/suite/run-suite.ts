import PQueue from 'p-queue';
import type { SuiteReport } from '../../core/gate.ts';
import { sha256 } from '../../core/hash.ts';
import { Problem } from '../../core/problem.ts';
import type { Trial, TrialOutcome } from '../../core/trial.ts';
import type { AgentSource } from './agent.ts';
import { decideGate } from './gate.ts';
import type { SuiteJudges } from './grade/judged.ts';
import type { OpenSuite, OpenTask } from './open-suite.ts';
import { runTrial } from './run-trial.ts';
import { suiteHash } from './suite-hash.ts';
import { summarise } from './summarise.ts';

/** What a run reports while it goes on. */
export type SuiteEvent =
  | { type: 'started'; suite: string; agent: string; tasks: number; trials: number }
  | { type: 'trial_started'; task: string; trial: number }
  | {
      type: 'trial_done';
      task: string;
      trial: number;
      outcome: TrialOutcome;
      done: number;
      total: number;
    }
  | { type: 'late_call'; task: string; trial: number; tool: string };

export interface SuiteRunOptions {
  agent: AgentSource;
  judges: SuiteJudges;
  /** Trials a task; default the suite's. */
  trials?: number;
  /** Ids of the tasks to run; default all that are not sealed. */
  tasks?: readonly string[];
  /** Trials at a time. */
  concurrency?: number;
  /** Decides the order of the trials. */
  seed?: number;
  signal?: AbortSignal;
  now: () => number;
  newToken: () => string;
  onEvent?: (event: SuiteEvent) => void;
}

/**
 * Runs each task k times, each time in a fresh sandbox, and reports: figures with intervals, the gate's decision.
 * A run that is stopped reports what it has; trials that never ran count as errored.
 * @throws Problem `no_task` for an unknown task id.
 */
export async function runSuite(open: OpenSuite, options: SuiteRunOptions): Promise<SuiteReport> {
  const { suite } = open;
  const { agent, judges, now, seed = 1, concurrency = 4, onEvent = () => {} } = options;
  const k = options.trials ?? suite.trials;
  const { chosen, leftOut } = chooseTasks(open, options.tasks);
  const began = now();
  const places = shuffle(
    chosen.flatMap((task) => Array.from({ length: k }, (_, index) => ({ task, trial: index + 1 }))),
    seed,
  );
  onEvent({ type: 'started', suite: suite.suite, agent: agent.name, tasks: chosen.length, trials: k });
  const queue = new PQueue({ concurrency });
  const signal = options.signal ?? new AbortController().signal;
  let done = 0;
  const run = async ({ task: { task, seed: state }, trial }: TrialPlace): Promise<Trial> => {
    if (signal.aborted) return neverRan(task.id, trial, state);
    onEvent({ type: 'trial_started', task: task.id, trial });
    const finished = await runTrial({
      suite,
      tools: open.tools,
      task,
      seed: state,
      trial,
      agent,
      judges,
      signal,
      now,
      newToken: options.newToken,
      onLateCall: (tool) => onEvent({ type: 'late_call', task: task.id, trial, tool }),
    });
    done += 1;
    const { outcome } = finished;
    onEvent({ type: 'trial_done', task: task.id, trial, outcome, done, total: places.length });
    return finished;
  };
  const trials = await queue.addAll(places.map((place) => () => run(place)));
  const inOrder = sortTrials(trials, chosen);
  const figures = summarise(
    chosen.map(({ task }) => task),
    inOrder,
    k,
  );
  const stopped = signal.aborted ? 'the run was stopped before its end' : null;
  return {
    suite: suite.suite,
    version: suite.version,
    suite_hash: suiteHash(open, judges.standings),
    agent: agent.name,
    k,
    seed,
    left_out: leftOut,
    trials: inOrder,
    ...figures,
    judges: judges.standings,
    ...decideGate(suite, { ...figures, judges: judges.standings, stopped }),
    started: new Date(began).toISOString(),
    ms: Math.max(0, now() - began),
  };
}

interface TrialPlace {
  task: OpenTask;
  trial: number;
}

function chooseTasks(
  { suite, tasks }: OpenSuite,
  wanted: readonly string[] | undefined,
): { chosen: OpenTask[]; leftOut: SuiteReport['left_out'] } {
  const ids = tasks.map(({ task }) => task.id);
  const unknown = wanted?.filter((id) => !ids.includes(id)) ?? [];
  if (unknown.length > 0 || wanted?.length === 0) {
    throw new Problem('no_task', `suite ${suite.suite} has no task ${unknown.join(', ') || 'to run'}`, {
      remedy: `Its tasks are ${ids.join(', ')}.`,
    });
  }
  const why = ({ task }: OpenTask): string | null => {
    if (wanted !== undefined) return wanted.includes(task.id) ? null : 'not chosen';
    return task.split === 'holdout' ? 'holdout: runs only when it is named' : null;
  };
  const leftOut = tasks.flatMap((one) => {
    const reason = why(one);
    return reason === null ? [] : [{ task: one.task.id, why: reason }];
  });
  const chosen = tasks.filter((one) => why(one) === null);
  if (chosen.length > 0) return { chosen, leftOut };
  throw new Problem('no_task', `suite ${suite.suite} has only holdout tasks`, {
    remedy: 'Name the ones to run.',
  });
}

/** A seeded order, the same on every machine: no task is always tried first. */
function shuffle(places: readonly TrialPlace[], seed: number): TrialPlace[] {
  return places
    .map((place) => ({ place, key: sha256(`order\n${seed}\n${place.task.task.id}\n${place.trial}`) }))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ place }) => place);
}

function sortTrials(trials: readonly Trial[], tasks: readonly OpenTask[]): Trial[] {
  const rank = new Map(tasks.map(({ task }, index) => [task.id, index]));
  return [...trials].sort(
    (one, other) => (rank.get(one.task) ?? 0) - (rank.get(other.task) ?? 0) || one.trial - other.trial,
  );
}

function neverRan(task: string, trial: number, seed: OpenTask['seed']): Trial {
  const error = 'the run was stopped before this trial';
  return {
    task,
    trial,
    outcome: 'errored',
    reasons: [error],
    must: [],
    must_not: [],
    harms: [],
    violations: [],
    judges: [],
    error,
    steps: 0,
    cost_usd: null,
    usage: null,
    ms: 0,
    trace: { steps: [] },
    end_state: seed,
    artifacts: {},
  };
}
