import type { JsonObject } from '../../core/json.ts';
import type { JudgeUse } from '../../core/task.ts';
import type { Trace } from '../../core/trace.ts';
import type { Trial } from '../../core/trial.ts';
import type { AgentEnd } from './agent-run.ts';
import { isEventField } from './event-fields.ts';
import { gradeJudged, type JudgedGrades, type ReadableArtifact, refusalOf } from './grade/judged.ts';
import { gradeOperations } from './grade/operations.ts';
import { decideOutcome } from './grade/outcome.ts';
import { gradeState, type StateGrades } from './grade/state.ts';
import { TextMatchTimeout } from './grade/text-matches.ts';
import { executedCalls, gradeTrajectory } from './grade/trajectory.ts';
import type { TrialPlan } from './trial-plan.ts';

/** A finished trial, before anyone graded it. */
export interface FinishedTrial extends TrialPlan {
  end: AgentEnd;
  trace: Trace;
  endState: JsonObject;
  artifacts: Record<string, ReadableArtifact>;
  ms: number;
}

/** Grades a finished trial: state, trajectory and operations by code; judges only where code found no failure. */
export async function gradeTrial(finished: FinishedTrial): Promise<Trial> {
  const { suite, task, trace, end, judges } = finished;
  const { graderFault, ...state } = gradeStateSafely(finished);
  const final = end.end === 'returned' ? end.final : null;
  const cost_usd = final?.cost_usd ?? null;
  const violations = [
    ...gradeTrajectory(task.trajectory, trace),
    ...state.violations,
    ...gradeOperations(task.max_steps, suite.limits, { trace, timedOut: end.end === 'timed_out', cost_usd }),
  ];
  const barred = suite.judges.flatMap((use) => barring(use, finished));
  const calls = executedCalls(trace).length;
  const byCode = {
    ...state,
    violations,
    agentFault: end.end === 'failed' ? end.reason : null,
    error: end.end === 'errored' ? end.error : null,
    graderFault,
    barred,
    calls,
  };
  const noJudges: JudgedGrades = { grades: [], absent: [] };
  const open = decideOutcome(task, suite.judges, { ...byCode, judges: [], absent: [] });
  const asks = barred.length > 0 || open.outcome === 'passed';
  const judged = asks ? await gradeJudged(suite.judges, judges, task.input, finished.artifacts) : noJudges;
  const decided = decideOutcome(task, suite.judges, {
    ...byCode,
    judges: judged.grades,
    absent: judged.absent,
  });
  return {
    task: task.id,
    trial: finished.trial,
    ...decided,
    must: state.must,
    must_not: state.must_not,
    harms: state.harms,
    violations,
    judges: judged.grades,
    error: byCode.error,
    steps: calls,
    cost_usd,
    usage: final?.usage ?? null,
    ms: finished.ms,
    trace,
    end_state: finished.endState,
    artifacts: Object.fromEntries(
      Object.entries(finished.artifacts).map(([name, artifact]) => [name, artifact.text]),
    ),
  };
}

function gradeStateSafely(finished: FinishedTrial): StateGrades & { graderFault: string | null } {
  const { task, trace, seed, endState, tools } = finished;
  const isField = (kind: string, name: string) => isEventField(tools, kind, name);
  try {
    return { ...gradeState(task, { trace, seed, endState, isField }), graderFault: null };
  } catch (error) {
    if (!(error instanceof TextMatchTimeout)) throw error;
    return { must: [], must_not: [], harms: [], violations: [], graderFault: error.message };
  }
}

/** A required judge that may not speak bars every trial of the suite from a grade. */
function barring(use: JudgeUse, { judges }: FinishedTrial): string[] {
  const refusal = use.required ? refusalOf(use, judges.standings) : null;
  return refusal === null ? [] : [`judge ${use.judge} may not speak: ${refusal}`];
}
