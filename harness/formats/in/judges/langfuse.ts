import type { EvidenceSource } from '../../../../core/rubric.ts';
import type { ForeignScale, Loss } from '../../foreign-judge.ts';
import { categoryLabel, LangfuseEvaluator } from '../../shape/langfuse.ts';
import { hasKeys, type JudgeFormat } from './judge-format.ts';
import { foreignModel } from './model-name.ts';
import { choiceScale, scoreScale, yesNo } from './scales.ts';
import { unread } from './unread.ts';
import { inOurWords } from './wording.ts';

const SOURCES: Record<string, EvidenceSource> = {
  input: 'input',
  output: 'output',
  expected_output: 'reference',
};
const KNOWN = [
  'name',
  'type',
  'prompt',
  'outputDefinition',
  'modelConfig',
  'mapping',
  'id',
  'createdAt',
  'updatedAt',
];

/** Langfuse: an evaluator of type llm_as_judge. */
export const langfuse: JudgeFormat = {
  name: 'langfuse',
  sniff: (source) => source.kind === 'document' && hasKeys(source.value, 'outputDefinition'),
  read: (source) => {
    if (source.kind !== 'document') return [];
    const judge = source.as(LangfuseEvaluator);
    const mapped = (judge.mapping ?? []).flatMap(({ variable, source: from }) => {
      const field = SOURCES[from ?? ''];
      return field === undefined ? [] : [[variable, field] as const];
    });
    const worded = inOurWords(judge.prompt, ['prompt'], 'mustache', Object.fromEntries(mapped));
    const losses: Loss[] = [
      ...unread(judge, KNOWN, []),
      ...worded.losses,
      { at: ['prompt'], why: 'its text became guidelines; the reply that it asks for is not ours' },
    ];
    (judge.mapping ?? []).forEach(({ jsonPath }, index) => {
      if (typeof jsonPath === 'string' && jsonPath !== '')
        losses.push({
          at: ['mapping', index, 'jsonPath'],
          why: 'pick the part when you import the samples: --map takes a path',
        });
    });
    const { reasoning, score } = judge.outputDefinition;
    if (reasoning?.description !== undefined)
      losses.push({
        at: ['outputDefinition', 'reasoning'],
        why: 'our judges quote first, then give one or two sentences',
      });
    const told = levels(judge, losses);
    const description = score?.description?.trim() ?? '';
    const { modelConfig: model } = judge;
    return [
      {
        name: judge.name,
        question:
          description !== '' && description.length <= 1800
            ? description
            : `What does the output deserve on “${judge.name.slice(0, 200)}”?`,
        scale: told,
        evidence: worded.evidence,
        guidelines: worded.text,
        model: model ? foreignModel(`${model.provider}:${model.model}`, ['modelConfig', 'model']) : null,
        params: {},
        losses,
      },
    ];
  },
};

function levels(judge: LangfuseEvaluator, losses: Loss[]): ForeignScale {
  const { dataType, score } = judge.outputDefinition;
  if (dataType === 'BOOLEAN') return yesNo();
  if (dataType === 'CATEGORICAL') {
    losses.push({
      at: ['outputDefinition', 'score', 'categories'],
      why: 'the file says of no category that it passes: say so in pass',
    });
    return choiceScale((score?.categories ?? []).map(categoryLabel), [], judge.prompt);
  }
  const read = scoreScale({ low: 0, high: 1, at: ['outputDefinition', 'dataType'] }, null);
  losses.push(...read.losses);
  return read.scale;
}
