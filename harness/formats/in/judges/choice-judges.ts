import { z } from 'zod';
import type { EvidenceSource } from '../../../../core/rubric.ts';
import type { ForeignJudge, KeyPath, Loss } from '../../foreign-judge.ts';
import { AutoevalsClassifier, AutoevalsTemplate, ModelGradedSpec } from '../../shape/choice-judges.ts';
import { hasKeys, isRecord, type JudgeFormat } from './judge-format.ts';
import { foreignModel } from './model-name.ts';
import { choiceScale } from './scales.ts';
import { unread } from './unread.ts';
import { inOurWords } from './wording.ts';

/** autoevals: a template file, or the arguments of LLMClassifierFromTemplate. */
export const autoevals: JudgeFormat = {
  name: 'autoevals',
  sniff: (source) =>
    source.kind === 'document' &&
    (hasKeys(source.value, 'promptTemplate', 'choiceScores') ||
      (hasKeys(source.value, 'prompt', 'choice_scores') && !hasKeys(source.value, 'choice_strings'))),
  read: (source) => {
    if (source.kind !== 'document') return [];
    const name = stem(source.file);
    if (hasKeys(source.value, 'promptTemplate')) {
      const judge = source.as(AutoevalsClassifier);
      const known = [
        'name',
        'promptTemplate',
        'choiceScores',
        'model',
        'useCoT',
        'temperature',
        'maxTokens',
        'reasoningEffort',
      ];
      return [
        {
          ...choiceJudge(
            {
              name: judge.name ?? name,
              prompt: judge.promptTemplate,
              at: ['promptTemplate'],
              scores: judge.choiceScores,
              scoresAt: ['choiceScores'],
              syntax: 'mustache',
            },
            unread(judge, known, []),
          ),
          model: typeof judge.model === 'string' ? foreignModel(judge.model, ['model']) : null,
          params: {
            ...(typeof judge.temperature === 'number' && {
              temperature: { at: ['temperature'], value: judge.temperature },
            }),
            ...(typeof judge.maxTokens === 'number' && {
              max_output_tokens: { at: ['maxTokens'], value: judge.maxTokens },
            }),
            ...(typeof judge.reasoningEffort === 'string' && {
              reasoning_effort: { at: ['reasoningEffort'], value: judge.reasoningEffort },
            }),
          },
        },
      ];
    }
    const judge = source.as(AutoevalsTemplate);
    const known = ['name', 'prompt', 'choice_scores', 'model', 'use_cot', 'temperature'];
    return [
      {
        ...choiceJudge(
          {
            name: judge.name ?? name,
            prompt: judge.prompt,
            at: ['prompt'],
            scores: judge.choice_scores,
            scoresAt: ['choice_scores'],
            syntax: 'mustache',
          },
          unread(judge, known, []),
        ),
        model: typeof judge.model === 'string' ? foreignModel(judge.model, ['model']) : null,
        params: {
          ...(typeof judge.temperature === 'number' && {
            temperature: { at: ['temperature'], value: judge.temperature },
          }),
        },
      },
    ];
  },
};

/** openai/evals: one model-graded spec, or several by name. */
export const openaiEvals: JudgeFormat = {
  name: 'openai-evals',
  sniff: (source) =>
    source.kind === 'document' &&
    (hasKeys(source.value, 'prompt', 'choice_strings') ||
      (isRecord(source.value) &&
        Object.values(source.value).some((spec) => hasKeys(spec, 'prompt', 'choice_strings')))),
  read: (source) => {
    if (source.kind !== 'document') return [];
    if (hasKeys(source.value, 'choice_strings'))
      return [specJudge(stem(source.file), source.as(ModelGradedSpec), [])];
    const specs = source.as(z.record(z.string(), ModelGradedSpec));
    return Object.entries(specs).map(([name, spec]) => specJudge(name, spec, [name]));
  },
};

const SPEC_KNOWN = ['prompt', 'choice_strings', 'choice_scores', 'eval_type', 'input_outputs', 'args'];

function specJudge(name: string, spec: ModelGradedSpec, at: KeyPath): ForeignJudge {
  const losses = unread(spec, SPEC_KNOWN, at);
  if (spec.args !== undefined)
    losses.push({
      at: [...at, 'args'],
      why: 'one judge asks one question: make a criterion of each of these',
    });
  const choices = [...spec.choice_strings];
  const choice = {
    name,
    prompt: spec.prompt,
    at: [...at, 'prompt'],
    scores: spec.choice_scores ?? {},
    scoresAt: [...at, 'choice_scores'],
    syntax: 'python' as const,
    choices,
  };
  return { ...choiceJudge(choice, losses), model: null, params: {} };
}

interface Choice {
  name: string;
  prompt: string;
  at: KeyPath;
  scores: Record<string, number>;
  scoresAt: KeyPath;
  syntax: 'mustache' | 'python';
  choices?: string[];
}

const FIELDS: Record<string, EvidenceSource> = {
  input: 'input',
  output: 'output',
  completion: 'output',
  expected: 'reference',
  ideal: 'reference',
};

function choiceJudge(choice: Choice, before: Loss[]): Omit<ForeignJudge, 'model' | 'params'> {
  const { name, prompt, at, scores, scoresAt, syntax } = choice;
  const choices = choice.choices ?? Object.keys(scores);
  const worded = inOurWords(prompt, at, syntax, FIELDS);
  const scored = choices.filter((one) => Object.hasOwn(scores, one));
  const best = Math.max(...scored.map((one) => scores[one] ?? 0));
  const partial = scored.filter((one) => ![best, 0].includes(scores[one] ?? 0));
  const passing = scored.filter((one) => scores[one] === best);
  const losses: Loss[] = [
    ...before,
    ...worded.losses,
    { at, why: 'its text became guidelines; the reply that it asks for is not ours' },
  ];
  if (partial.length > 0)
    losses.push({
      at: scoresAt,
      why: `a level passes or it does not: the partial credit of ${partial.join(', ')} is gone`,
    });
  if (scored.length === 0)
    losses.push({ at: scoresAt, why: 'the file says of no choice that it passes: say so in pass' });
  return {
    name,
    question: `Which of the answers of “${name.slice(0, 200)}” fits the output?`,
    scale: choiceScale(choices, passing, prompt),
    evidence: worded.evidence,
    guidelines: worded.text,
    losses,
  };
}

function stem(file: string): string {
  return file.replace(/^.*[\\/]/, '').replace(/\.[^.]*$/, '');
}
