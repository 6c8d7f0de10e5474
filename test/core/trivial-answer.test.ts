import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { trivialAnswer } from '../../core/trivial-answer.ts';

const TASK = 'Answer the customer from the order record.';
const single = (output: string) =>
  trivialAnswer({ kind: 'single', input: 'Where is it?', output }, [TASK, '']);

describe('an answer that is none', () => {
  it.each(['', ' ', '\n\t', '\u00a0'])('is empty: %j', (output) => {
    expect(single(output)).toBe('is empty');
  });

  it.each(['.', ':', ',', '...', '—', '。', '\u200b', '* * *', '"?!"'])('holds no word: %j', (output) => {
    expect(single(output)).toBe('holds no word');
  });

  it.each([
    'Solution',
    'Solution:',
    '**Solution**',
    '# Final Answer:',
    'Thought process:',
    ' thought  process…',
    'Let\u2019s solve this problem step by step.',
    "LET'S THINK STEP BY STEP",
    'Ｓｏｌｕｔｉｏｎ',
    'Sol\u200bution',
    '解',
    'Respuesta:',
  ])('is an opening with nothing after it: %j', (output) => {
    expect(single(output)).toMatch(/^holds nothing but/);
  });

  it('repeats what was asked', () => {
    expect(single(`> ${TASK.toUpperCase()}`)).toBe('repeats what was asked');
  });

  it('is a pair where both sides are void, and not where one is', () => {
    const pair = (a: string, b: string) => trivialAnswer({ kind: 'pair', input: 'x', outputs: { a, b } }, []);
    expect(pair('', ':')).toBe('both answers are void: a is empty, b holds no word');
    expect(pair('', 'It was sent on Monday.')).toBeNull();
  });
});

describe('an answer, however short', () => {
  it.each(['7', 'No', 'n/a', '👍', '✓', '=', '=1', '是', 'Solution: 42', 'The answer is no', 'Where is it?'])(
    'is left to the judge: %j',
    (output) => {
      expect(single(output)).toBeNull();
    },
  );

  it('is left to the judge wherever it says something beside an opening', () => {
    const said = fc.stringMatching(/^[a-z]{3,12}$/).filter((word) => !['answer', 'solution'].includes(word));
    fc.assert(fc.property(said, (word) => single(`Solution: ${word} ${word}`) === null));
  });
});
