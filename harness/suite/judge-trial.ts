import { type Calibration, calibrationFaults } from '../../core/calibration.ts';
import type { JudgeStanding } from '../../core/gate.ts';
import { judgeHash, type ResolvedJudge } from '../../core/judge.ts';
import { Problem } from '../../core/problem.ts';
import type { SampleContent } from '../../core/sample.ts';
import { passes } from '../../core/scale.ts';
import type { Suite } from '../../core/suite.ts';
import type { JudgeUse } from '../../core/task.ts';
import type { JudgeGrade } from '../../core/trial.ts';
import type { Outcome } from '../../core/verdict.ts';
import { createSampleJudge, type SampleJudge } from '../judge/judge-sample.ts';
import { secureRandom } from '../judge/nonce.ts';
import { openProvider } from '../provider/open.ts';
import { sleep } from '../provider/sleep.ts';
import { calibrationPath, loadCalibration } from '../workspace/calibrations.ts';
import { loadJudge } from '../workspace/judges.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { SuiteJudges } from './grade/judged.ts';

export interface SuiteJudgesOptions {
  workspace: Workspace;
  suite: Suite;
  /** Where providers find their keys. */
  env: Readonly<Record<string, string | undefined>>;
  /** Judge calls at a time. */
  concurrency: number;
  signal: AbortSignal;
  /** Milliseconds since 1970. */
  now: () => number;
}

/**
 * The judges of a suite, each run from its accepted calibration alone: judge, rubric, prompt and baseline fit stand in it.
 * One whose calibration is missing, edited, expired, of another hash or (unless allowed) simulated may not speak.
 * @throws Problem where a judge's or calibration's file is malformed.
 */
export function createSuiteJudges(options: SuiteJudgesOptions): SuiteJudges {
  const { workspace, suite, now } = options;
  const today = new Date(now()).toISOString().slice(0, 10);
  const found = suite.judges.map((use) => lookUp(workspace, use, today));
  const ready = new Map<string, Promise<SampleJudge>>();
  return {
    standings: found.map(({ standing }) => standing),
    async judge(use, content) {
      const calibration = found.find(({ standing }) => standing.judge === use.judge)?.calibration ?? null;
      if (calibration === null) return [ungraded(use, null, 'it has no calibration')];
      const opened = ready.get(use.judge) ?? openJudge(calibration, options);
      ready.set(use.judge, opened);
      return gradesOf(use, calibration, await opened, content);
    },
  };
}

function lookUp(
  workspace: Workspace,
  use: JudgeUse,
  today: string,
): { standing: JudgeStanding; calibration: Calibration | null } {
  const { hash } = loadJudge(workspace, use.judge);
  const calibration = loadCalibration(workspace, use.judge);
  const common = { judge: use.judge, required: use.required, judge_hash: hash };
  if (calibration === null) {
    const faults = [`there is no ${calibrationPath(use.judge)}: calibrate the judge and accept it`];
    const standing = { ...common, calibration: 'missing' as const, faults, simulated: false };
    return { standing: { ...standing, calibration_hash: null }, calibration };
  }
  const faults = [
    ...calibrationFaults(calibration, hash, today, use.allow_simulated),
    ...selfContainedFaults(calibration),
  ];
  return {
    standing: {
      ...common,
      calibration: faults.length === 0 ? 'valid' : 'refused',
      faults,
      simulated: calibration.simulated,
      calibration_hash: calibration.hash,
    },
    calibration,
  };
}

/** What is asked of a trial has to be what was measured: the text inside the file, and nothing outside it. */
function selfContainedFaults(calibration: Calibration): string[] {
  const resolved = resolvedOf(calibration);
  const examples = calibration.rubric.criteria
    .filter(({ id }) => calibration.judge.criteria.includes(id))
    .flatMap((criterion) => criterion.examples);
  if (examples.length > 0)
    return [`its prompt shows the examples ${examples.join(', ')}, which no file holds`];
  return judgeHash(resolved) === calibration.judge_hash
    ? []
    : ['the judge, rubric or prompt inside it is not what it was measured with'];
}

function resolvedOf({ judge, rubric, prompt_text, judge_hash }: Calibration): ResolvedJudge {
  return { judge, rubric, promptText: prompt_text, examples: {}, hash: judge_hash };
}

async function openJudge(calibration: Calibration, options: SuiteJudgesOptions): Promise<SampleJudge> {
  const { workspace, env, concurrency, signal, now } = options;
  const provider = await openProvider(calibration.judge, {
    config: workspace.config,
    root: workspace.root,
    env,
    connections: concurrency,
    deadlineMs: workspace.config.defaults.deadline_seconds * 1000,
    now,
  });
  return createSampleJudge({
    resolved: resolvedOf(calibration),
    fit: calibration.baseline_fit,
    examples: [],
    provider,
    config: workspace.config,
    concurrency,
    now,
    random: secureRandom,
    sleep,
    stop: signal,
    cutoff: signal,
  });
}

async function gradesOf(
  use: JudgeUse,
  calibration: Calibration,
  judge: SampleJudge,
  content: SampleContent,
): Promise<JudgeGrade[]> {
  const { outcomes, served_model } = await judge(content);
  const measured = calibration.served_model.id;
  if (measured !== null && served_model !== measured) {
    throw new Problem(
      'other_model',
      `${served_model ?? 'no model'} answered, the calibration is of ${measured}`,
      { remedy: 'Calibrate the judge against the model that answers now.' },
    );
  }
  return Object.entries(outcomes).map(([criterion, outcome]) =>
    gradeOf(use, calibration, criterion, outcome),
  );
}

/** A level becomes a pass or a fail by the rubric's own rule; anything else stays without a grade. */
function gradeOf(use: JudgeUse, { rubric }: Calibration, id: string, outcome: Outcome | null): JudgeGrade {
  if (outcome === null) return ungraded(use, id, 'the run was stopped before it answered');
  if (outcome.outcome !== 'scored') return ungraded(use, id, `${outcome.outcome}: ${outcome.reason}`);
  const rule = rubric.criteria.find((criterion) => criterion.id === id)?.pass;
  const passed = passes(outcome.value, rule);
  return passed === null
    ? ungraded(use, id, 'the criterion has no pass rule')
    : { status: 'graded', judge: use.judge, criterion: id, passed, result: outcome };
}

function ungraded(use: JudgeUse, criterion: string | null, why: string): JudgeGrade {
  return { status: 'ungraded', judge: use.judge, criterion, why };
}
