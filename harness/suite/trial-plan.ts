import type { JsonObject } from '../../core/json.ts';
import type { Suite } from '../../core/suite.ts';
import type { Task } from '../../core/task.ts';
import type { AgentSource } from './agent.ts';
import type { Tools } from './define-tools.ts';
import type { SuiteJudges } from './grade/judged.ts';

/** All that one trial needs. */
export interface TrialPlan {
  suite: Suite;
  tools: Tools;
  task: Task;
  /** The task's seed state, frozen. */
  seed: JsonObject;
  /** Number of the trial of its task, from 1. */
  trial: number;
  agent: AgentSource;
  judges: SuiteJudges;
  signal: AbortSignal;
  now: () => number;
  /** A fresh name, so that nothing of one trial can pass for another's. */
  newToken: () => string;
  onLateCall(tool: string): void;
}
