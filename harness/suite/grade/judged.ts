import type { JudgeStanding } from '../../../core/gate.ts';
import { Problem } from '../../../core/problem.ts';
import type { SampleContent } from '../../../core/sample.ts';
import type { JudgeUse } from '../../../core/task.ts';
import type { JudgeGrade } from '../../../core/trial.ts';

/** Asks one judge about one artifact: a grade a criterion. What a provider may do wrong comes back as ungraded. */
export type JudgeTrial = (use: JudgeUse, content: SampleContent) => Promise<JudgeGrade[]>;

/** A suite's judges: which of them may speak, and the way to ask those. */
export interface SuiteJudges {
  standings: JudgeStanding[];
  judge: JudgeTrial;
}

/** The artifact that the agent's own last words stand under: a claim, unlike those that the sandbox holds. */
export const FINAL = 'final';

export interface JudgedGrades {
  grades: JudgeGrade[];
  /** Names of artifacts that a required judge should have read and that the agent never made. */
  absent: string[];
}

/** What a judge may read of a trial: the instruction, the artifact, and what the sandbox holds it against. */
export interface ReadableArtifact {
  text: string;
  context: string | null;
}

/** Has the judges of a suite grade a trial's artifacts. A judge that may not speak leaves its grade ungraded. */
export async function gradeJudged(
  uses: readonly JudgeUse[],
  { standings, judge }: SuiteJudges,
  instruction: string,
  artifacts: Readonly<Record<string, ReadableArtifact>>,
): Promise<JudgedGrades> {
  const grades: JudgeGrade[] = [];
  const absent: string[] = [];
  for (const use of uses) {
    const refusal = refusalOf(use, standings);
    const artifact = Object.hasOwn(artifacts, use.on) ? artifacts[use.on] : undefined;
    if (refusal !== null) {
      grades.push(ungraded(use, refusal));
    } else if (artifact === undefined) {
      grades.push(ungraded(use, `there is no ${use.on} to read`));
      if (use.required) absent.push(use.on);
    } else {
      grades.push(...(await ask(use, judge, contentOf(instruction, artifact))));
    }
  }
  return { grades, absent };
}

/** Why a judge may not speak in this suite, or null. */
export function refusalOf(use: JudgeUse, standings: readonly JudgeStanding[]): string | null {
  const standing = standings.find((one) => one.judge === use.judge);
  if (standing === undefined) return 'its calibration was never looked up';
  if (standing.calibration === 'valid') return null;
  return standing.faults.join('; ') || `its calibration is ${standing.calibration}`;
}

async function ask(use: JudgeUse, judge: JudgeTrial, content: SampleContent): Promise<JudgeGrade[]> {
  try {
    const grades = await judge(use, content);
    return grades.length > 0 ? grades : [ungraded(use, 'it gave no grade')];
  } catch (error) {
    if (error instanceof Problem) return [ungraded(use, error.message)];
    throw error;
  }
}

function contentOf(instruction: string, { text, context }: ReadableArtifact): SampleContent {
  return { kind: 'single', input: instruction, output: text, ...(context !== null && { context }) };
}

function ungraded(use: JudgeUse, why: string): JudgeGrade {
  return { status: 'ungraded', judge: use.judge, criterion: null, why };
}
