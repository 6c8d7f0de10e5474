import type { ForeignScale, Loss } from '../../foreign-judge.ts';
import { GEval } from '../../shape/deepeval.ts';
import { hasKeys, type JudgeFormat } from './judge-format.ts';
import { foreignModel } from './model-name.ts';
import { scoreScale, yesNo } from './scales.ts';
import { unread } from './unread.ts';

const KNOWN = [
  'name',
  'evaluationParams',
  'multiTurn',
  'criteria',
  'evaluationSteps',
  'rubric',
  'threshold',
  'strictMode',
  'model',
];

/** DeepEval: a GEval metric as it is uploaded. */
export const deepeval: JudgeFormat = {
  name: 'deepeval',
  sniff: (source) =>
    source.kind === 'document' &&
    hasKeys(source.value, 'name') &&
    (hasKeys(source.value, 'evaluationParams') || hasKeys(source.value, 'evaluationSteps')),
  read: (source) => {
    if (source.kind !== 'document') return [];
    const metric = source.as(GEval);
    const losses = unread(metric, KNOWN, []);
    const { scale, losses: cut } = levels(metric);
    losses.push(...cut);
    const [criteria, steps] = [metric.criteria ?? '', metric.evaluationSteps ?? []];
    if (criteria !== '' && steps.length === 0)
      losses.push({
        at: ['criteria'],
        why: 'GEval writes its own steps from it at each run; here the words themselves are asked',
      });
    return [
      {
        name: metric.name,
        question:
          criteria !== '' && criteria.length <= 1800
            ? criteria
            : `What does the output deserve on “${metric.name.slice(0, 200)}”?`,
        scale,
        evidence: metric.multiTurn === true ? ['trace'] : ['output'],
        guidelines: [
          criteria.length > 1800 ? criteria : '',
          steps.map((step, index) => `${index + 1}. ${step}`).join('\n'),
        ]
          .filter((part) => part !== '')
          .join('\n\n'),
        model: typeof metric.model === 'string' ? foreignModel(metric.model, ['model']) : null,
        params: {},
        losses,
      },
    ];
  },
};

/** Bands become levels from 1, in the order of their scores; without bands the scores 0 to 10 do. */
function levels({ rubric, threshold, strictMode }: GEval): { scale: ForeignScale; losses: Loss[] } {
  if (strictMode === true) return { scale: yesNo(), losses: [] };
  const cut = threshold === undefined ? null : { value: threshold * 10, at: ['threshold'] };
  if (!rubric) return scoreScale({ low: 0, high: 10, at: ['rubric'] }, cut);
  const bands = [...rubric].sort((one, other) => one.scoreRange[0] - other.scoreRange[0]);
  const first = cut === null ? -1 : bands.findIndex(({ scoreRange: [low] }) => low >= cut.value);
  const split =
    cut !== null && bands.some(({ scoreRange: [low, high] }) => low < cut.value && cut.value <= high);
  return {
    scale: {
      scale: 'ordinal',
      levels: bands.map(({ scoreRange: [low, high], expectedOutcome }, index) => ({
        value: String(index + 1),
        name: low === high ? `GEval ${low}` : `GEval ${low} to ${high}`,
        anchor: expectedOutcome,
      })),
      ...(first !== -1 && { pass: { at_least: first + 1 } }),
    },
    losses: [
      { at: ['rubric'], why: 'scores within a band can no longer be told apart' },
      ...(cut !== null && first === -1
        ? [{ at: cut.at, why: 'no whole band lies above it: say which levels pass' }]
        : []),
      ...(split && first !== -1
        ? [{ at: cut.at, why: `it cuts a band in two: levels from ${first + 1} pass` }]
        : []),
    ],
  };
}
