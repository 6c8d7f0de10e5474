import type { BaselineFit, ResolvedJudge } from '../../core/judge.ts';
import type { Sample } from '../../core/sample.ts';
import type { OutputShape } from '../provider/provider.ts';
import { checkFewShots, type FewShot } from './few-shot.ts';
import { planJudge, planSample } from './plan.ts';
import { createQuestions } from './questions.ts';

/** The first message of a call as it was sent, but for its mark. */
export interface RebuiltRequest {
  /** Empty = none was sent. */
  system: string;
  user: string;
  /** Stands where the call had 16 hex digits of its own, which nobody kept. */
  mark: string;
  output: OutputShape;
  /** How many few-shots the judge has: the values beside them are those that people's labels give today. */
  examples: number;
}

/** What a call asked of one sample, and how its judge was made ready. */
export interface RebuildOptions {
  resolved: ResolvedJudge;
  fit: BaselineFit | null;
  examples: readonly FewShot[];
  sample: Sample;
  /** The call's key in the ledger. */
  key: string;
}

/**
 * Renders a past call's request again. The key covers all that the request depended on, so that a request that is
 * found under it is the one that was sent.
 * @returns null where the judge of today would plan no such call: something that the key covers has changed.
 * @throws Problem as `planSample` and `checkFewShots`.
 */
export function rebuildRequest(options: RebuildOptions): RebuiltRequest | null {
  const { resolved, fit, examples, sample, key } = options;
  const call = planSample(planJudge(resolved, fit), sample).find(({ planned }) => planned.key === key);
  if (call === undefined) return null;
  checkFewShots(resolved.examples, examples);
  let mark = '';
  const marks = readableMarks();
  const questions = createQuestions(resolved, examples, () => {
    mark = marks.next().value;
    return mark;
  });
  const { prompt, output } = questions(call.criteria, sample.content.kind, call.planned.order);
  const user = prompt.user(sample.content);
  return { system: prompt.system, user, mark, output, examples: examples.length };
}

/** One after the other until the sample holds none of it. */
function* readableMarks(): Generator<string, never> {
  for (let n = 1; ; n++) yield n === 1 ? 'MARK' : `MARK-${n}`;
}
