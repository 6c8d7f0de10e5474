import { expect, test } from 'vitest';
import { Judge } from '../../../core/judge.ts';
import { Rubric } from '../../../core/rubric.ts';
import { subjectOf } from '../../../web/agreement/chosen-subject.ts';
import type { JudgeView, RubricView } from '../../../web/api.ts';

const rubric = (id: string, criteria: string[]): RubricView => ({
  ref: `${id}@1`,
  file: '',
  hash: '',
  published: false,
  lint: [],
  rubric: Rubric.parse({
    rubric: id,
    version: 1,
    title: id,
    task: 't',
    criteria: criteria.map((one) => ({
      id: one,
      question: 'q',
      scale: 'nominal',
      levels: [{ value: 'a' }, { value: 'b' }],
    })),
  }),
});
const judge = (id: string, by: string, criteria: string[]): JudgeView => ({
  ref: `${id}@1`,
  file: '',
  hash: '',
  published: false,
  attack_pack: null,
  simulated: false,
  family: 'baseline',
  judge: Judge.parse({
    judge: id,
    version: 1,
    rubric: by,
    criteria,
    provider: 'baseline',
    model: 'majority@1',
  }),
  calibration: { status: 'none', faults: [], expires: null },
});
const dataset = (name: string, own: string | null) => ({
  name,
  samples: 1,
  labelled: 1,
  rubric: own,
  annotators: [],
});
const lists = {
  datasets: [dataset('replies', 'reply@1'), dataset('pairs', 'pair@1')],
  rubrics: [rubric('pair', ['better']), rubric('reply', ['accuracy', 'tone'])],
  judges: {
    judges: [judge('kind', 'reply@1', ['tone']), judge('right', 'reply@1', ['accuracy'])],
    foreign: [{ name: 'foreign:gpt', dataset: 'pairs', verdicts: 3, criteria: ['better'] }],
    problems: [],
  },
};
const open = { dataset: null, rubric: null, criterion: null, judge: null };

test('fills up what the address leaves open', () => {
  expect(subjectOf(lists, open).subject).toEqual({
    dataset: 'replies',
    rubric: 'reply@1',
    criterion: 'accuracy',
    judge: 'right@1',
  });
});

test('a judge that is asked for is shown on a criterion that it judges', () => {
  expect(subjectOf(lists, { ...open, judge: 'kind@1' }).subject).toMatchObject({
    criterion: 'tone',
    judge: 'kind@1',
  });
});

test('verdicts that came with a file are a judge of their dataset', () => {
  expect(subjectOf(lists, { ...open, dataset: 'pairs' }).subject).toMatchObject({
    rubric: 'pair@1',
    criterion: 'better',
    judge: 'foreign:gpt',
  });
});

test('what does not fit together is not kept together', () => {
  expect(subjectOf(lists, { ...open, criterion: 'tone', judge: 'right@1' }).subject).toMatchObject({
    criterion: 'tone',
    judge: 'kind@1',
  });
});

test('without a judge there is nothing to compare', () => {
  expect(subjectOf({ ...lists, judges: { judges: [], foreign: [], problems: [] } }, open).subject).toBeNull();
});
