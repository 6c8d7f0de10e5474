import { expect, test } from 'vitest';
import type { Ratings } from '../../../web/api.ts';
import { marksOf, standing } from '../../../web/samples/rating-marks.ts';

const label = (
  annotator: string,
  revision: number,
  what: Ratings['labels'][number]['what'],
): Ratings['labels'][number] => ({
  id: `${annotator}-${revision}`,
  sample: 's_00000000000000000001',
  criterion: 'tone',
  what,
  evidence: [{ field: 'output', start: 2, end: 6, quote: 'xxxx' }],
  note: '',
  ms: 0,
  at: '2026-01-01T00:00:00.000Z',
  order: null,
  rubric: 'r@1',
  rubric_hash: '',
  annotator,
  saw: 'blind',
  revision,
});
const verdict = (judge: string, status: 'exact' | 'unsupported'): Ratings['verdicts'][number] => ({
  id: 1,
  judge,
  simulated: false,
  criterion: 'tone',
  order: null,
  repeat: 1,
  outcome: 'scored',
  value: '1',
  reason: '',
  quotes: [
    {
      field: 'trace',
      step: 3,
      quote: 'q',
      status,
      places:
        status === 'exact'
          ? [
              { start: 0, end: 1 },
              { start: 5, end: 6 },
            ]
          : [],
    },
  ],
  served_model: null,
});
const sure = { act: 'label' as const, value: '1', unsure: false };

test('every place of a quote is marked in the text that it names; what is not in the text is marked nowhere', () => {
  const marks = marksOf({ labels: [], verdicts: [verdict('a@1', 'exact'), verdict('b@1', 'unsupported')] });
  expect([...marks.keys()]).toEqual(['trace:3']);
  expect(marks.get('trace:3')?.map(({ start, kind }) => [start, kind])).toEqual([
    [0, 'exact'],
    [5, 'exact'],
  ]);
});

test('marks of one judge only, where one is asked for', () => {
  expect(marksOf({ labels: [], verdicts: [verdict('a@1', 'exact')] }, { judge: 'b@1' }).size).toBe(0);
});

test('of a person only the last word counts, and none that was taken back', () => {
  const labels = [
    label('Ada', 1, sure),
    label('Ada', 2, { ...sure, value: '2' }),
    label('Bea', 1, sure),
    label('Bea', 2, { act: 'clear' }),
  ];
  expect(standing(labels).map(({ id }) => id)).toEqual(['Ada-2']);
  expect(marksOf({ labels, verdicts: [] }).get('output')?.length).toBe(1);
});
