import { z } from 'zod';
import type { Json } from '../../../../core/json.ts';
import type { ForeignJudge, KeyPath, Loss } from '../../foreign-judge.ts';
import {
  Grader,
  type GraderMessage,
  type LabelModelGrader,
  OpenAiEval,
  type ScoreModelGrader,
} from '../../shape/openai-graders.ts';
import { hasKeys, isRecord, type JudgeFormat } from './judge-format.ts';
import { foreignModel } from './model-name.ts';
import { choiceScale, scoreScale } from './scales.ts';
import { unread } from './unread.ts';
import { inOurWords } from './wording.ts';

const TYPES = ['score_model', 'label_model', 'string_check', 'text_similarity', 'python', 'multi'];

/** OpenAI graders: one, a list, or an eval with its testing_criteria. */
export const openaiGraders: JudgeFormat = {
  name: 'openai-graders',
  sniff: (source) =>
    source.kind === 'document' &&
    (isGrader(source.value) ||
      (Array.isArray(source.value) && source.value.some(isGrader)) ||
      hasKeys(source.value, 'testing_criteria')),
  read: (source) => {
    if (source.kind !== 'document') return [];
    if (Array.isArray(source.value)) return readAll(source.as(z.array(Grader).min(1)), []);
    if (hasKeys(source.value, 'testing_criteria'))
      return readAll(source.as(OpenAiEval).testing_criteria, ['testing_criteria']);
    return readAll([source.as(Grader)], null);
  },
};

function isGrader(value: unknown): boolean {
  return isRecord(value) && typeof value.type === 'string' && TYPES.includes(value.type);
}

function readAll(graders: Grader[], at: KeyPath | null): ForeignJudge[] {
  const judges: ForeignJudge[] = [];
  const losses: Loss[] = [];
  const read = (grader: Grader, here: KeyPath): void => {
    if (grader.type === 'score_model' || grader.type === 'label_model') judges.push(toJudge(grader, here));
    else if (grader.type === 'multi') {
      for (const [name, inner] of Object.entries(grader.graders)) read(inner, [...here, 'graders', name]);
      losses.push({
        at: [...here, 'calculate_output'],
        why: 'a figure over several graders: here each judge stands by itself, and a suite’s gate brings them together',
      });
    } else {
      const python = grader.type === 'python' ? '; foreign code is never run' : '';
      losses.push({
        at: here,
        why: `${grader.type} is code and no judge: make it a check of a suite’s task${python}`,
      });
    }
  };
  for (const [index, grader] of graders.entries()) read(grader, at === null ? [] : [...at, index]);
  const [first] = judges;
  first?.losses.push(...losses);
  return judges;
}

const KNOWN = [
  'type',
  'name',
  'model',
  'input',
  'range',
  'sampling_params',
  'pass_threshold',
  'labels',
  'passing_labels',
];

function toJudge(grader: ScoreModelGrader | LabelModelGrader, at: KeyPath): ForeignJudge {
  const losses = unread(grader, [...KNOWN, 'id'], at);
  const text = messageText(grader.input, [...at, 'input'], losses);
  const worded = inOurWords(text, [...at, 'input'], 'mustache', {
    'sample.output_text': 'output',
    'sample.output_json': 'output',
    'item.reference_answer': 'reference',
  });
  losses.push(...worded.losses, {
    at: [...at, 'input'],
    why: 'its text became guidelines; the reply that it asks for is not ours',
  });
  const read = grader.type === 'score_model' ? scoreLevels(grader, at) : labelLevels(grader, text);
  losses.push(...read.losses);
  return {
    name: grader.name,
    question: `What does the output deserve by the guidelines of “${grader.name.slice(0, 200)}”?`,
    scale: read.scale,
    evidence: worded.evidence,
    guidelines: worded.text,
    model: foreignModel(grader.model, [...at, 'model']),
    params: readParams(grader.sampling_params ?? {}, [...at, 'sampling_params'], losses),
    losses,
  };
}

function scoreLevels({ range, pass_threshold: threshold }: ScoreModelGrader, at: KeyPath) {
  const [low, high] = range ?? [0, 1];
  const cut = typeof threshold === 'number' ? { value: threshold, at: [...at, 'pass_threshold'] } : null;
  return scoreScale({ low, high, at: [...at, 'range'] }, cut);
}

function labelLevels({ labels, passing_labels: passing }: LabelModelGrader, prompt: string) {
  return { scale: choiceScale(labels, passing, prompt), losses: [] };
}

function messageText(messages: GraderMessage[], at: KeyPath, losses: Loss[]): string {
  return messages
    .map(({ content }, index) =>
      [content]
        .flat()
        .map((part) => {
          if (typeof part === 'string') return part;
          if (part.text === undefined)
            losses.push({
              at: [...at, index, 'content'],
              why: `a part of type ${part.type ?? 'unknown'} is no text`,
            });
          return part.text ?? '';
        })
        .join('\n'),
    )
    .join('\n\n');
}

const PARAMS: Record<string, keyof ForeignJudge['params']> = {
  temperature: 'temperature',
  seed: 'seed',
  reasoning_effort: 'reasoning_effort',
  max_completions_tokens: 'max_output_tokens',
};

function readParams(params: Record<string, Json>, at: KeyPath, losses: Loss[]): ForeignJudge['params'] {
  const read: ForeignJudge['params'] = {};
  for (const [name, value] of Object.entries(params)) {
    const ours = Object.hasOwn(PARAMS, name) ? PARAMS[name] : undefined;
    if (ours !== undefined) read[ours] = { at: [...at, name], value };
    else if (value !== null) losses.push({ at: [...at, name], why: 'our judges do not send it' });
  }
  return read;
}
