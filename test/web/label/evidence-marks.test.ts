import { expect, test } from 'vitest';
import { Criterion } from '../../../core/rubric.ts';
import { evidenceMarks } from '../../../web/label/evidence-marks.ts';
import { Marker } from '../../../web/label/marker.svelte.ts';
import { UNTOUCHED } from '../../../web/label/standing.ts';

const criterion = (id: string) =>
  Criterion.parse({ id, question: 'q?', scale: 'nominal', levels: [{ value: 'a' }, { value: 'b' }] });
const [accuracy, tone] = [criterion('accuracy'), criterion('tone')];
const evidence = {
  accuracy: [{ field: 'output' as const, start: 0, end: 3, quote: 'one' }],
  tone: [{ field: 'trace' as const, step: 2, start: 4, end: 7, quote: 'two' }],
};
const session = {
  criteria: [accuracy, tone],
  standing: (id: string) => ({ ...UNTOUCHED, evidence: id === 'tone' ? evidence.tone : evidence.accuracy }),
};

test('the active question’s evidence is told from the others’, each in its own text', () => {
  expect(evidenceMarks(session, tone, null)).toEqual(
    new Map([
      ['output', [{ start: 0, end: 3, kind: 'other', title: 'evidence: accuracy' }]],
      ['trace:2', [{ start: 4, end: 7, kind: 'mine', title: 'evidence: tone' }]],
    ]),
  );
});

test('a mark in the making is shown where it is made', () => {
  const marker = new Marker([{ field: 'output', text: 'one two' }], 0);
  expect(evidenceMarks(session, accuracy, marker).get('output')).toEqual([
    { start: 0, end: 3, kind: 'mine', title: 'evidence: accuracy' },
    { start: 0, end: 3, kind: 'cursor' },
  ]);
});
