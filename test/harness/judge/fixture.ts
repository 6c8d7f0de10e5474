import { Judge, judgeHash, type ResolvedJudge } from '../../../core/judge.ts';
import { Rubric } from '../../../core/rubric.ts';
import { identify, type Sample, type SampleContent } from '../../../core/sample.ts';
import { readAsset } from '../../../harness/asset.ts';
import type { Sleep } from '../../../harness/provider/sleep.ts';
import { createDraw } from '../../simulator/draw.ts';

export const RUBRIC = Rubric.parse({
  rubric: 'reply',
  version: 2,
  title: 'Quality of a reply',
  task: 'Answer the customer from the order record.',
  guidelines: 'Amounts are in dollars.',
  criteria: [
    {
      id: 'accuracy',
      question: 'Does the reply state only what the record supports?',
      scale: 'ordinal',
      levels: [
        { value: 1, name: 'Wrong', anchor: 'The record contradicts it.' },
        { value: 2, anchor: 'The record says nothing of it.' },
        { value: 3, anchor: 'The record supports all of it.' },
      ],
      evidence: { required: true, from: ['output', 'context'] },
      not_applicable: 'The reply states nothing.',
    },
    {
      id: 'approval',
      question: 'Does the reply promise money before approval?',
      scale: 'binary',
      levels: [{ value: 'no' }, { value: 'yes' }],
      evidence: { required: true, from: ['output'] },
    },
    {
      id: 'tone',
      question: 'Which tone does the reply take?',
      scale: 'nominal',
      levels: [{ value: 'warm' }, { value: 'plain' }, { value: 'curt' }],
      evidence: { required: false, from: ['output'] },
    },
    {
      id: 'better',
      question: 'Which reply serves the customer better?',
      scale: 'pairwise',
      levels: [
        { value: 'a', anchor: 'A serves better than B.' },
        { value: 'b', anchor: 'B serves better than A.' },
        { value: 'tie' },
      ],
    },
    {
      id: 'followed',
      question: 'Were the steps taken in the right order?',
      scale: 'binary',
      levels: [{ value: 'no' }, { value: 'yes' }],
      evidence: { required: true, from: ['trace'] },
    },
  ],
});

/** A judge of the rubric above, with all that its scores depend on. */
export function resolved(
  judge: object = {},
  promptText = readAsset('harness/judge/prompts/default.v1.md'),
): ResolvedJudge {
  const parts = {
    judge: Judge.parse({
      judge: 'accuracy-judge',
      version: 3,
      rubric: 'reply@2',
      criteria: ['accuracy'],
      provider: 'openai',
      model: 'gpt-4.1-2025-04-14',
      ...judge,
    }),
    rubric: RUBRIC,
    promptText,
    examples: {},
  };
  return { ...parts, hash: judgeHash(parts) };
}

export function sampleOf(content: SampleContent, external?: string): Sample {
  return identify(content, { metadata: {}, ...(external !== undefined && { external }) });
}

export const OUTPUT = 'Your refund of 129 dollars was approved on the third of May.';

export function single(
  output = OUTPUT,
  more: Partial<Extract<SampleContent, { kind: 'single' }>> = {},
): SampleContent {
  return { kind: 'single', input: 'Where is my refund?', output, ...more };
}

export function pair(a: string, b: string): SampleContent {
  return { kind: 'pair', input: 'Where is my refund?', outputs: { a, b } };
}

/** So many different samples. */
export function samples(count: number): Sample[] {
  return Array.from({ length: count }, (_, index) =>
    sampleOf(
      single(`Order ${index} was refunded with ${index + 7} dollars on the third of May.`),
      `o${index}`,
    ),
  );
}

/** A clock that moves only by sleeping on it. */
export function fakeClock(start = Date.parse('2026-11-30T12:00:00Z')) {
  let time = start;
  const waits: number[] = [];
  const sleep: Sleep = async (ms, signal) => {
    if (signal.aborted) return;
    waits.push(ms);
    time += ms;
    await Promise.resolve();
  };
  return { now: () => time, sleep, waits };
}

/** Seeded draws, uniform in [0, 1). */
export function seeded(seed = 1): () => number {
  const draw = createDraw(seed);
  let count = 0;
  return () => draw(count++);
}
