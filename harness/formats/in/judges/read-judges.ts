import { Problem } from '../../../../core/problem.ts';
import type { ForeignJudge } from '../../foreign-judge.ts';
import { autoevals, openaiEvals } from './choice-judges.ts';
import { deepeval } from './deepeval.ts';
import { inspect } from './inspect.ts';
import type { JudgeFormat } from './judge-format.ts';
import { langfuse } from './langfuse.ts';
import { mlflow } from './mlflow.ts';
import { openaiGraders } from './openai-graders.ts';
import { promptfoo } from './promptfoo.ts';
import type { JudgeSource } from './source.ts';

const FORMATS: readonly JudgeFormat[] = [
  promptfoo,
  openaiGraders,
  deepeval,
  autoevals,
  openaiEvals,
  langfuse,
  mlflow,
  inspect,
];

/** Every format that judges are read from. */
export const JUDGE_FORMATS: readonly string[] = FORMATS.map((format) => format.name);

/**
 * Reads the judges of a foreign file.
 * @param wanted the format, or null to tell it by the file's shape.
 * @throws Problem where the format can't be told, the file breaks it, or nothing in it is a judge.
 */
export function readJudges(
  source: JudgeSource,
  wanted: string | null,
): { format: string; judges: ForeignJudge[] } {
  const format = formatOf(source, wanted);
  const judges = format.read(source);
  if (judges.length > 0) return { format: format.name, judges };
  throw new Problem('no_judge', `${source.file}: nothing in it asks a model for a judgement`, {
    remedy: 'Checks by code belong in a suite’s task; name a file that defines a judge.',
    at: [{ file: source.file, line: 1, column: 1 }],
  });
}

function formatOf(source: JudgeSource, wanted: string | null): JudgeFormat {
  const fitting = FORMATS.filter((format) =>
    wanted === null ? format.sniff(source) : format.name === wanted,
  );
  const [format] = fitting;
  if (format !== undefined && fitting.length === 1) return format;
  const several = fitting.length > 1;
  throw new Problem(
    'unknown_format',
    several
      ? `${source.file} could be ${fitting.map((one) => one.name).join(' or ')}`
      : `${source.file} has the shape of no judge that we read`,
    {
      remedy: several
        ? 'Say which with --format.'
        : `We read ${JUDGE_FORMATS.join(', ')}; say which with --format to learn what is amiss.`,
      at: [{ file: source.file, line: 1, column: 1 }],
    },
  );
}
