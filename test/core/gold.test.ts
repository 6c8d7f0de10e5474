import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { goldOf } from '../../core/gold.ts';

const scale = (kind: 'ordinal' | 'nominal') => ({
  scale: kind,
  levels: ['1', '2', '3', '4', '5'].map((value) => ({ value })),
});
const gold = (kind: 'ordinal' | 'nominal', ...values: (string | null)[]) =>
  goldOf(
    values.map((value, index) => ({ annotator: `a${index}`, value })),
    scale(kind),
  );

describe('gold', () => {
  it.each([
    ['nobody', 'nominal', [], null],
    ['one person', 'nominal', ['2'], { value: '2', from: 'single' }],
    ['all alike', 'ordinal', ['2', '2', '2'], { value: '2', from: 'unanimous' }],
    ['most alike', 'nominal', ['2', '2', '5'], { value: '2', from: 'majority' }],
    ['a lead of one without a majority', 'nominal', ['1', '1', '2', '3'], { value: '1', from: 'majority' }],
    ['a draw', 'nominal', ['1', '2'], null],
    ['a draw of two with a third behind', 'nominal', ['1', '1', '2', '2', '3'], null],
    ['the middle of an ordinal scale', 'ordinal', ['1', '3', '4'], { value: '3', from: 'median' }],
    ['two middles that differ', 'ordinal', ['1', '4'], null],
    ['two middles alike', 'ordinal', ['1', '3', '3', '5'], { value: '3', from: 'median' }],
    ['"does not apply" takes no part', 'nominal', ['2', null, '2'], { value: '2', from: 'unanimous' }],
    ['nothing but "does not apply"', 'nominal', [null, null], null],
  ] as const)('%s', (_, kind, values, wanted) => {
    expect(gold(kind, ...values)).toEqual(wanted);
  });

  it('does not depend on who answers first', () => {
    const answers = fc.array(fc.constantFrom('1', '2', '3', '4', '5', null), { maxLength: 9 });
    fc.assert(
      fc.property(
        answers,
        fc.constantFrom('ordinal' as const, 'nominal' as const),
        fc.integer(),
        (values, kind, seed) => {
          const shuffled = values
            .map((value, index) => ({ value, key: Math.sin(seed + index) }))
            .sort((one, other) => one.key - other.key);
          expect(gold(kind, ...shuffled.map(({ value }) => value))).toEqual(gold(kind, ...values));
        },
      ),
    );
  });
});
