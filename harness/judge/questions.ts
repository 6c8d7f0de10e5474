import type { ResolvedJudge } from '../../core/judge.ts';
import type { Criterion } from '../../core/rubric.ts';
import type { SampleKind } from '../../core/sample.ts';
import type { PairOrder } from '../../core/verdict.ts';
import type { OutputShape } from '../provider/provider.ts';
import { type Ask, createAsk } from './ask.ts';
import type { FewShot } from './few-shot.ts';
import { type Prompt, preparePrompt } from './prompt.ts';
import { replySchema } from './reply-schema.ts';

/** A prepared question: what is asked, the prompt but for the sample, the shape of the reply. */
export interface Question {
  ask: Ask;
  prompt: Prompt;
  output: OutputShape;
}

/** Finds the question of a group of criteria; each is prepared once. */
export type Questions = (
  criteria: readonly Criterion[],
  kind: SampleKind,
  order: PairOrder | null,
) => Question;

/** @param nonce gives 16 hex digits that nobody can foresee. */
export function createQuestions(
  resolved: ResolvedJudge,
  examples: readonly FewShot[],
  nonce: () => string,
): Questions {
  const prepared = new Map<string, Question>();
  return (criteria, kind, order) => {
    const key = [kind, order, ...criteria.map((criterion) => criterion.id)].join('\n');
    const known = prepared.get(key);
    if (known !== undefined) return known;
    const ask = createAsk(resolved, criteria, kind, order);
    const prompt = preparePrompt(resolved, ask, examples, nonce);
    const output = { mode: resolved.judge.output, name: 'verdict', schema: replySchema(ask) };
    const question = { ask, prompt, output };
    prepared.set(key, question);
    return question;
  };
}
