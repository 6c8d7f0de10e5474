import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { baselineFeature, baselineValue, fitBaseline } from '../../core/baseline.ts';
import type { LabelSetItem } from '../../core/label-set.ts';
import { Criterion } from '../../core/rubric.ts';
import { identify, type SampleContent } from '../../core/sample.ts';

const single = (output: string, input = '', context?: string): SampleContent => ({
  kind: 'single',
  input,
  output,
  ...(context !== undefined && { context }),
});

const ordinal = Criterion.parse({
  id: 'depth',
  question: 'How deep?',
  scale: 'ordinal',
  levels: [{ value: 1 }, { value: 2 }, { value: 3 }],
});
const nominal = Criterion.parse({
  id: 'tone',
  question: 'Which tone?',
  scale: 'nominal',
  levels: [{ value: 'warm' }, { value: 'plain' }, { value: 'curt' }],
});
const pairwise = Criterion.parse({
  id: 'better',
  question: 'Which is better?',
  scale: 'pairwise',
  levels: [{ value: 'a' }, { value: 'b' }, { value: 'tie' }],
});

function item(
  criterion: Criterion,
  content: SampleContent,
  value: string,
  split: 'dev' | 'test' = 'dev',
): LabelSetItem {
  return {
    sample: identify(content, { metadata: {} }),
    split,
    p: null,
    labels: [],
    gold: { [criterion.id]: { value, from: 'single' } },
  };
}

const long = (length: number) => single('x'.repeat(length));

describe('what a baseline looks at', () => {
  it('is nothing, the length of the output, or its overlap with what it was given', () => {
    const content = single('The red cat sat', 'a red dog', 'the mat, the cat');
    expect(baselineFeature('majority@1', content)).toBeNull();
    expect(baselineFeature('length@1', content)).toBeCloseTo(Math.log(16), 12);
    expect(baselineFeature('overlap@1', content)).toBe(0.75);
    expect(baselineFeature('overlap@1', single(''))).toBe(0);
  });

  it('is the lead of A over B for a pair', () => {
    const pair: SampleContent = { kind: 'pair', input: 'red cat', outputs: { a: 'red', b: 'blue cat' } };
    expect(baselineFeature('length@1', pair)).toBeCloseTo(Math.log(4) - Math.log(9), 12);
    expect(baselineFeature('overlap@1', pair)).toBe(0.5);
  });
});

describe('fitting a baseline', () => {
  it('takes the commonest level, of equals the first of the rubric', () => {
    const items = ['warm', 'curt', 'plain', 'curt'].map((value, index) => item(nominal, long(index), value));
    expect(fitBaseline('majority@1', nominal, items)).toEqual({
      rule: { rule: 'constant', value: 'curt' },
      n: 4,
    });
    expect(fitBaseline('majority@1', nominal, items.slice(0, 3)).rule).toEqual({
      rule: 'constant',
      value: 'warm',
    });
  });

  it('cuts the feature where dev changes level', () => {
    const items = [1, 2, 3, 10, 11, 100].map((length, index) =>
      item(ordinal, long(length), ['1', '1', '1', '2', '2', '3'][index] ?? ''),
    );
    const { rule, n } = fitBaseline('length@1', ordinal, items);
    expect(n).toBe(6);
    expect(rule).toMatchObject({ rule: 'cuts', levels: ['1', '2', '3'] });
    const value = (length: number) => baselineValue(rule, baselineFeature('length@1', long(length)));
    expect([0, 3, 5, 10, 11, 30, 40, 5000].map(value)).toEqual(['1', '1', '1', '2', '2', '2', '3', '3']);
  });

  it('turns round where the level falls as the feature rises', () => {
    const items = [1, 10, 100].map((length, index) => item(ordinal, long(length), String(3 - index)));
    const { rule } = fitBaseline('length@1', ordinal, items);
    expect(rule).toMatchObject({ levels: ['3', '2', '1'] });
    expect(baselineValue(rule, baselineFeature('length@1', long(200)))).toBe('1');
  });

  it('orders a pair from B over tie to A', () => {
    const pair = (a: number, b: number): SampleContent => ({
      kind: 'pair',
      input: '',
      outputs: { a: 'x'.repeat(a), b: 'x'.repeat(b) },
    });
    const items = [
      item(pairwise, pair(9, 1), 'a'),
      item(pairwise, pair(5, 5), 'tie'),
      item(pairwise, pair(1, 9), 'b'),
    ];
    const { rule } = fitBaseline('length@1', pairwise, items);
    expect(rule).toMatchObject({ levels: ['b', 'tie', 'a'] });
    expect(baselineValue(rule, baselineFeature('length@1', pair(50, 2)))).toBe('a');
    expect(baselineValue(rule, baselineFeature('length@1', pair(2, 50)))).toBe('b');
  });

  it('learns from dev alone', () => {
    const dev = [1, 10, 100].map((length, index) => item(ordinal, long(length), String(index + 1)));
    const test = [1, 2, 3].map((length) => item(ordinal, long(length), '3', 'test'));
    for (const model of ['majority@1', 'length@1', 'overlap@1'] as const)
      expect(fitBaseline(model, ordinal, [...dev, ...test])).toEqual(fitBaseline(model, ordinal, dev));
    expect(() => fitBaseline('length@1', ordinal, test)).toThrow('no dev sample has gold on "depth"');
  });

  it('leaves out levels that dev never has, and is constant where it has but one', () => {
    const items = [1, 2].map((length) => item(ordinal, long(length), '2'));
    expect(fitBaseline('length@1', ordinal, items).rule).toEqual({ rule: 'constant', value: '2' });
    const two = [...items, item(ordinal, long(500), '3')];
    expect(fitBaseline('length@1', ordinal, two).rule).toMatchObject({ levels: ['2', '3'] });
  });

  it('refuses to cut what has no order', () => {
    const items = [item(nominal, long(1), 'warm')];
    expect(() => fitBaseline('length@1', nominal, items)).toThrow('length@1 needs ordered levels');
    expect(() => fitBaseline('overlap@1', nominal, items)).toThrow('"tone" is nominal');
  });

  it('gives dev the shares of levels that its gold has, wherever features differ', () => {
    const gold = fc.uniqueArray(fc.integer({ min: 1, max: 4000 }), { minLength: 3, maxLength: 60 });
    fc.assert(
      fc.property(
        gold,
        fc.array(fc.constantFrom('1', '2', '3'), { minLength: 60, maxLength: 60 }),
        (lengths, values) => {
          const items = lengths.map((length, index) => item(ordinal, long(length), values[index] ?? '1'));
          const { rule } = fitBaseline('length@1', ordinal, items);
          const share = (value: string, of: string[]) => of.filter((one) => one === value).length;
          const given = items.map(({ sample }) =>
            baselineValue(rule, baselineFeature('length@1', sample.content)),
          );
          for (const value of ['1', '2', '3'])
            expect(share(value, given)).toBe(share(value, values.slice(0, lengths.length)));
        },
      ),
    );
  });
});
