import type { ForeignJudge, ForeignScale, Loss } from '../../foreign-judge.ts';
import { InspectGrader } from '../../shape/inspect.ts';
import type { JudgeFormat } from './judge-format.ts';
import { foreignModel } from './model-name.ts';
import { readArguments } from './python-arguments.ts';
import { unread } from './unread.ts';
import { inOurWords } from './wording.ts';

const CALLS = ['model_graded_qa', 'model_graded_fact'];
const ORDER = [
  'template',
  'instructions',
  'grade_pattern',
  'include_history',
  'partial_credit',
  'model',
  'model_role',
];

/** Inspect: calls of model_graded_qa and model_graded_fact in a Python text. */
export const inspect: JudgeFormat = {
  name: 'inspect',
  sniff: (source) => source.kind === 'python' && source.python.calls(CALLS).length > 0,
  read: (source) => {
    if (source.kind !== 'python') return [];
    return source.python.calls(CALLS).map((call, index) => {
      const { value, losses } = readArguments(source, index, call, InspectGrader, {
        order: ORDER,
        needed: ['template', 'instructions'],
      });
      return toJudge(call.name, value, index, losses);
    });
  },
};

function toJudge(name: string, grader: InspectGrader, index: number, losses: Loss[]): ForeignJudge {
  const at = (key: string) => [index, key];
  const template = inOurWords(grader.template ?? '', at('template'), 'python', {
    question: 'input',
    answer: 'output',
    criterion: 'reference',
    instructions: null,
  });
  losses.push(...template.losses, ...unread(grader, ORDER, [index]));
  if (!grader.template)
    losses.push({
      at: [index],
      why: 'Inspect’s own template is not part of the file: say in guidelines what makes an answer right',
    });
  if (grader.instructions)
    losses.push({
      at: at('instructions'),
      why: 'its text became guidelines; the reply that it asks for is not ours',
    });
  if (grader.grade_pattern)
    losses.push({
      at: at('grade_pattern'),
      why: 'our judges answer in a checked form, so nothing is searched for',
    });
  if (grader.include_history !== undefined && grader.include_history !== false)
    losses.push({
      at: at('include_history'),
      why: 'put the conversation into the samples’ input, or import them as traces',
    });
  const models = [grader.model ?? []].flat();
  const [first] = models;
  if (models.length > 1)
    losses.push({
      at: at('model'),
      why: `one judge has one model: ${models.slice(1).join(', ')} can follow as judges of their own`,
    });
  if (grader.model_role && first === undefined)
    losses.push({ at: at('model_role'), why: 'which model plays the role is said when Inspect runs' });
  return {
    name,
    question: 'Is the output right, measured by the reference?',
    scale: grades(grader.partial_credit === true),
    evidence: ['output'],
    guidelines: [template.text, (grader.instructions ?? '').trim()]
      .filter((part) => part !== '')
      .join('\n\n'),
    model: first === undefined ? null : foreignModel(first, at('model')),
    params: {},
    losses,
  };
}

function grades(partial: boolean): ForeignScale {
  return {
    scale: partial ? 'nominal' : 'binary',
    levels: [
      { value: 'I', name: 'Incorrect' },
      ...(partial ? [{ value: 'P', name: 'Partly correct' }] : []),
      { value: 'C', name: 'Correct' },
    ],
    pass: { equals: 'C' },
  };
}
