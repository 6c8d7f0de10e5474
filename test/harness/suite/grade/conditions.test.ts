import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compare, matches, readCondition, same } from '../../../../harness/suite/grade/conditions.ts';
import { TextMatchTimeout, textMatches } from '../../../../harness/suite/grade/text-matches.ts';

const none = () => false;

describe('a condition’s key', () => {
  it.each([
    ['amount', 'amount', 'value', 'eq'],
    ['amount_lte', 'amount', 'value', 'lte'],
    ['amount_lt', 'amount', 'value', 'lt'],
    ['order.id_ne', 'order.id', 'value', 'ne'],
    ['_eq', '', 'value', 'eq'],
    ['_count', '', 'count', 'eq'],
    ['_count_gte', '', 'count', 'gte'],
    ['lines_count', 'lines', 'count', 'eq'],
    ['lines_count_lt', 'lines', 'count', 'lt'],
  ])('%s is field "%s", %s, %s', (key, field, measure, operator) => {
    expect(readCondition(key, 1, none)).toEqual({ key, field, measure, operator, want: 1 });
  });

  it('is a field’s whole name where there is such a field', () => {
    expect(readCondition('check_in', 1, (name) => name === 'check_in')).toMatchObject({
      field: 'check_in',
      operator: 'eq',
    });
    expect(readCondition('head_count_gt', 1, (name) => name === 'head_count')).toMatchObject({
      field: 'head_count',
      measure: 'value',
      operator: 'gt',
    });
  });
});

describe('a where', () => {
  const refund = { order_id: '88412', amount: 129, lines: ['a', 'b'], to: { city: 'Wien' }, note: null };

  it.each([
    [{ order_id: '88412', amount_lte: 129.0 }, true],
    [{ amount: 129.0 }, true],
    [{ amount: '129' }, false],
    [{ order_id: 88412 }, false],
    [{ amount_lt: 129 }, false],
    [{ amount_gt: 128.99, amount_gte: 129 }, true],
    [{ order_id_in: ['1', '88412'] }, true],
    [{ order_id_contains: '884' }, true],
    [{ lines_contains: 'b' }, true],
    [{ lines_count: 2, lines_count_gte: 2 }, true],
    [{ order_id_matches: '^88\\d{3}$' }, true],
    [{ 'to.city': 'Wien' }, true],
    [{ to: { city: 'Wien' } }, true],
    [{ 'lines.1': 'b' }, true],
    [{ note: null, note_exists: true }, true],
    [{ missing_exists: false }, true],
    [{ missing_ne: 1 }, true],
    [{ missing: 1 }, false],
    [{ missing_lt: 1 }, false],
    [{ missing_matches: '' }, false],
    [{ constructor_exists: true }, false],
    [{}, true],
  ])('%j: %s', (where, expected) => {
    expect(matches(where, refund)).toBe(expected);
  });
});

describe('comparing', () => {
  const value = fc.jsonValue({ maxDepth: 2 }).map((made) => JSON.parse(JSON.stringify(made)));

  it('ne is the opposite of eq, for every value', () => {
    fc.assert(
      fc.property(value, value, (one, other) => {
        expect(compare(one, 'ne', other)).toBe(!compare(one, 'eq', other));
        expect(compare(one, 'eq', one)).toBe(true);
        expect(same(one, other)).toBe(same(other, one));
      }),
    );
  });

  it('of two numbers exactly one of lt, eq, gt holds, and lte and gte follow', () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(number, number, (one, other) => {
        const [lt, eq, gt] = (['lt', 'eq', 'gt'] as const).map((operator) => compare(one, operator, other));
        expect([lt, eq, gt].filter(Boolean)).toHaveLength(1);
        expect(compare(one, 'lte', other)).toBe(lt || eq);
        expect(compare(one, 'gte', other)).toBe(gt || eq);
      }),
    );
  });

  it('order never holds between a number and anything else', () => {
    fc.assert(
      fc.property(fc.integer(), value, (number, other) => {
        fc.pre(typeof other !== 'number');
        for (const operator of ['lt', 'lte', 'gt', 'gte'] as const) {
          expect(compare(number, operator, other)).toBe(false);
          expect(compare(other, operator, number)).toBe(false);
        }
      }),
    );
  });

  it('in is eq with one of the list', () => {
    fc.assert(
      fc.property(value, fc.array(value, { maxLength: 4 }), (one, list) => {
        expect(compare(one, 'in', list)).toBe(list.some((other) => compare(one, 'eq', other)));
        expect(compare(list, 'contains', one)).toBe(compare(one, 'in', list));
      }),
    );
  });

  it('of something absent only ne and exists: false hold', () => {
    fc.assert(
      fc.property(value, (want) => {
        for (const operator of ['eq', 'lt', 'lte', 'gt', 'gte', 'in', 'contains', 'matches'] as const) {
          expect(compare(undefined, operator, want)).toBe(false);
        }
        expect(compare(undefined, 'ne', want)).toBe(true);
        expect(compare(undefined, 'exists', false)).toBe(true);
        expect(compare(undefined, 'exists', true)).toBe(false);
      }),
    );
  });
});

describe('a pattern', () => {
  it('that backtracks without end is cut off, and says so', () => {
    expect(() => textMatches(`${'a'.repeat(40)}!`, '^(a+)+$')).toThrow(TextMatchTimeout);
    expect(() => textMatches(`${'a'.repeat(40)}!`, '^(a+)+$')).toThrow(
      'the pattern /^(a+)+$/ took longer than 200 ms',
    );
  });
});
