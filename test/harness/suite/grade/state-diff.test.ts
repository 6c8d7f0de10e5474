import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allows, differences } from '../../../../harness/suite/grade/state-diff.ts';

const BEFORE = {
  orders: { '1': { status: 'open', total: 5 }, '2': { status: 'open', total: 7 } },
  refunds: [{ id: 'r-1' }],
  count: 1,
};

const texts = (after: Parameters<typeof differences>[1]) =>
  differences(BEFORE, after).map(({ text }) => text);

describe('the difference between two states', () => {
  it('names each place as deep as it stands', () => {
    expect(texts({ ...BEFORE, count: 1.0 })).toEqual([]);
    expect(texts({ ...BEFORE, orders: { ...BEFORE.orders, '1': { status: 'paid', total: 5 } } })).toEqual([
      'orders.1.status',
    ]);
    expect(texts({ ...BEFORE, orders: { '1': BEFORE.orders['1'], '3': {} } })).toEqual([
      'orders.2',
      'orders.3',
    ]);
    expect(texts({ ...BEFORE, refunds: [{ id: 'r-1' }, {}, {}] })).toEqual(['refunds[+2]']);
    expect(texts({ ...BEFORE, refunds: [] })).toEqual(['refunds[-1]']);
    expect(texts({ ...BEFORE, refunds: [{ id: 'r-9' }, {}] })).toEqual(['refunds.0.id', 'refunds[+1]']);
    expect(texts({ ...BEFORE, count: [1] })).toEqual(['count']);
  });

  it('is empty exactly where the states are equal', () => {
    const state = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 });
    const plain = state.map((made) => JSON.parse(JSON.stringify(made)));
    fc.assert(
      fc.property(plain, plain, (one, other) => {
        expect(differences(one, structuredClone(one))).toEqual([]);
        expect(differences(one, other).length === 0).toBe(differences(other, one).length === 0);
      }),
    );
  });
});

describe('may_change', () => {
  const grown = (rows: number) => ({ path: ['refunds', `[+${rows}]`], text: '' });
  const status = { path: ['orders', '1', 'status'], text: '' };

  it.each([
    ['orders.1.status', status, true],
    ['orders.1', status, true],
    ['orders.*.status', status, true],
    ['orders', status, true],
    ['orders.2.status', status, false],
    ['orders.1.total', status, false],
    ['orders.1.status.deep', status, false],
    ['refunds[+1]', grown(1), true],
    ['refunds[+1]', grown(2), false],
    ['refunds[+2]', grown(1), true],
    ['refunds[+]', grown(9), true],
    ['refunds.*', grown(1), false],
    ['refunds', grown(1), true],
    ['refunds[+1]', { path: ['refunds', '[-1]'], text: '' }, false],
    ['refunds[+1]', { path: ['refunds', '0', 'id'], text: '' }, false],
  ])('%s allows %o: %s', (allowed, difference, expected) => {
    expect(allows(allowed, difference)).toBe(expected);
  });
});
