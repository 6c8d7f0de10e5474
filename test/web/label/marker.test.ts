import { expect, test } from 'vitest';
import { fieldText, type SampleContent } from '../../../core/sample.ts';
import { Marker, markableTexts, spanOf } from '../../../web/label/marker.svelte.ts';

const content: SampleContent = {
  kind: 'single',
  input: 'Where is my refund?',
  output: 'It was sent on Monday. You will see it soon. Sorry for the wait.',
};
const begin = () => new Marker(markableTexts(content, null), 1);

test('marks by key: walk, grip, extend, grip; the offsets are those of the raw text', () => {
  const marker = begin();
  marker.move('word', 1);
  expect(marker.grip()).toBeNull();
  marker.move('word', 1);
  marker.move('word', 1);
  const span = marker.grip();
  expect(span).toEqual({ field: 'output', start: 3, end: 14, quote: 'was sent on' });
  expect(fieldText(content, 'output')?.slice(span?.start, span?.end)).toBe(span?.quote);
});

test('a mark can grow backwards', () => {
  const marker = begin();
  for (let step = 0; step < 3; step++) marker.move('word', 1);
  marker.grip();
  marker.move('word', -1);
  expect(marker.grip()?.quote).toBe('sent on');
});

test('a mark that grows by sentences takes whole ones, full stop included', () => {
  const marker = begin();
  marker.grip();
  marker.move('sentence', 1);
  expect(marker.words).toBe('It was sent on Monday.');
  marker.move('sentence', 1);
  expect(marker.words).toBe('It was sent on Monday. You will see it soon.');
  marker.move('sentence', 1);
  marker.move('sentence', 1);
  expect(marker.grip()?.quote).toBe(content.kind === 'single' ? content.output : '');
});

test('goes to the other texts in turn, and forgets where a mark began', () => {
  const marker = begin();
  marker.grip();
  marker.otherText(1);
  expect([marker.text?.field, marker.anchor]).toEqual(['input', null]);
  marker.otherText(-1);
  expect(marker.text?.field).toBe('output');
  expect(marker.range).toEqual({ start: 0, end: 2 });
});

test('takes the whole text', () => {
  expect(begin().whole()?.quote).toBe(content.kind === 'single' ? content.output : '');
});

test('the texts of a pair stand as they are shown, those of a trace by step, without model calls', () => {
  const pair: SampleContent = { kind: 'pair', input: 'q', outputs: { a: 'one', b: 'two' } };
  expect(markableTexts(pair, 'ba').map(({ field }) => field)).toEqual(['input', 'output_b', 'output_a']);
  const trace: SampleContent = {
    kind: 'trace',
    input: 'q',
    trace: {
      steps: [
        { type: 'model', model: 'm', usage: null, cost_usd: null, tier: 'executed' },
        { type: 'message', role: 'assistant', content: 'hi', tier: 'executed' },
      ],
    },
  };
  const texts = markableTexts(trace, null);
  expect(texts.map(({ field, step }) => [field, step])).toEqual([
    ['input', undefined],
    ['trace', 2],
  ]);
  expect(texts[1] && spanOf(texts[1], { start: 0, end: 2 })).toEqual({
    field: 'trace',
    step: 2,
    start: 0,
    end: 2,
    quote: 'hi',
  });
});
