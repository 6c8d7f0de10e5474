import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { krippendorffAlpha } from '../../../core/stats/alpha.ts';
import { alphaInterval } from '../../../core/stats/alpha-interval.ts';
import { brennanPrediger, byrtIndices, gwetAC, scottPi } from '../../../core/stats/chance.ts';
import { clusteredKappa } from '../../../core/stats/clustered-kappa.ts';
import { confusionMetrics, sensitivity, specificity } from '../../../core/stats/confusion.ts';
import { contingencyTable, type Table } from '../../../core/stats/contingency.ts';
import { fleissKappa } from '../../../core/stats/fleiss.ts';
import { gwetACMulti } from '../../../core/stats/gwet.ts';
import { cohenKappa, kappaInfluence, kappaMax } from '../../../core/stats/kappa.ts';
import { kappaParadox } from '../../../core/stats/paradox.ts';
import { cellMean, tableShares } from '../../../core/stats/table.ts';

const cells = (q: number) =>
  fc.array(fc.array(fc.nat(40), { minLength: q, maxLength: q }), { minLength: q, maxLength: q });
const square = fc.integer({ min: 2, max: 5 }).chain(cells);
const binary = cells(2);
const weights = fc.constantFrom('unweighted' as const, 'linear' as const, 'quadratic' as const);
const ratings = fc.array(
  fc.array(fc.option(fc.constantFrom('a', 'b', 'c')), { minLength: 3, maxLength: 3 }),
  { minLength: 1, maxLength: 12 },
);

describe("Cohen's kappa", () => {
  it('does not depend on how categories are named, or on who is first', () => {
    fc.assert(
      fc.property(square, fc.infiniteStream(fc.nat()), (table, order) => {
        const keys = table.map((_, index) => ({ index, key: order.next().value ?? 0 }));
        const shuffled = keys.sort((x, y) => x.key - y.key).map(({ index }) => index);
        const renamed = shuffled.map((i) => shuffled.map((j) => table[i]?.[j] ?? 0));
        const { value } = cohenKappa(table);
        expectSame(cohenKappa(renamed).value, value);
        expectSame(cohenKappa(transposed(table)).value, value);
        expectSame(
          cohenKappa(transposed(table), { weights: 'quadratic' }).value,
          cohenKappa(table, { weights: 'quadratic' }).value,
        );
      }),
    );
  });

  it('never exceeds 1, and its interval holds it when unweighted', () => {
    fc.assert(
      fc.property(square, weights, (table, chosen) => {
        const kappa = cohenKappa(table, { weights: chosen });
        if (kappa.value === null) return;
        expect(kappa.value).toBeLessThanOrEqual(1 + 1e-12);
        if (chosen !== 'unweighted') return;
        expect(kappa.ci?.low).toBeLessThanOrEqual(kappa.value + 1e-12);
        expect(kappa.ci?.high).toBeGreaterThanOrEqual(kappa.value - 1e-12);
      }),
    );
  });

  it('is what equal partial credit for all disagreements leaves it', () => {
    fc.assert(
      fc.property(square, fc.double({ min: 0, max: 0.9, noNaN: true }), (table, credit) => {
        const equal = table.map((_, i) => table.map((__, j) => (i === j ? 1 : credit)));
        expectSame(cohenKappa(table, { weights: equal }).value, cohenKappa(table).value, 1e-9);
      }),
    );
  });

  it('has influences whose mean over items is 0', () => {
    fc.assert(
      fc.property(square, weights, (table, chosen) => {
        const shares = tableShares(table, { weights: chosen });
        if (shares === null || cohenKappa(table, { weights: chosen }).value === null) return;
        const influence = kappaInfluence(shares);
        expect(Math.abs(cellMean(shares.cells, ({ i, j }) => influence(i, j)))).toBeLessThan(1e-9);
      }),
    );
  });

  it('follows from prevalence, bias and PABAK (Byrt, Bishop & Carlin)', () => {
    fc.assert(
      fc.property(binary, (table) => {
        const { value } = cohenKappa(table);
        const { prevalenceIndex, biasIndex, pabak } = byrtIndices(table);
        if (value === null || prevalenceIndex === null || biasIndex === null || pabak === null) return;
        const [p2, b2] = [prevalenceIndex ** 2, biasIndex ** 2];
        expectSame((pabak - p2 + b2) / (1 - p2 + b2), value, 1e-9);
      }),
    );
  });

  it('stays below the ceiling that the margins set', () => {
    fc.assert(
      fc.property(square, weights, (table, chosen) => {
        const { value } = cohenKappa(table, { weights: chosen });
        const { kappaMax: top } = kappaMax(table, { weights: chosen });
        if (value !== null && top !== null) expect(value).toBeLessThanOrEqual(top + 1e-9);
      }),
    );
  });

  it('equals AC1 and Brennan-Prediger where both raters use all categories alike', () => {
    fc.assert(
      fc.property(fc.nat(30), fc.integer({ min: 1, max: 30 }), (agreed, apart) => {
        const table = [
          [agreed, apart, apart],
          [apart, agreed, apart],
          [apart, apart, agreed],
        ];
        const { value } = cohenKappa(table);
        expectSame(gwetAC(table).value, value, 1e-9);
        expectSame(brennanPrediger(table).value, value, 1e-9);
      }),
    );
  });

  it('is degenerate, 0, when one rater says the same of everything', () => {
    const kappa = cohenKappa([
      [45, 0],
      [5, 0],
    ]);
    expect(kappa).toMatchObject({ value: 0, status: 'degenerate', reason: 'CONSTANT_RATER' });
    expect(kappa.ci?.low).toBeLessThan(0);
  });

  it('keeps an interval of some width at perfect agreement, and offers no large-sample one', () => {
    const kappa = cohenKappa([
      [30, 0],
      [0, 20],
    ]);
    expect(kappa.value).toBe(1);
    expect(kappa.se).toBe(0);
    expect(kappa.ci?.low).toBeCloseTo(0.851, 3);
    expect(kappa.largeSample).toBeNull();
  });

  it('of no items, or of one level, does not exist', () => {
    expect(
      cohenKappa([
        [0, 0],
        [0, 0],
      ]),
    ).toMatchObject({ value: null, status: 'undefined', reason: 'EMPTY' });
    expect(
      cohenKappa([
        [9, 0],
        [0, 0],
      ]),
    ).toMatchObject({ value: null, reason: 'SINGLE_CATEGORY', po: 1, pe: 1 });
  });

  it('places unequally spaced levels by their values', () => {
    const table = [
      [10, 4, 1],
      [2, 12, 3],
      [0, 2, 9],
    ];
    const spaced = cohenKappa(table, { weights: 'linear', values: [0, 1, 10] });
    expect(spaced.value).not.toBeCloseTo(cohenKappa(table, { weights: 'linear' }).value ?? 0, 3);
    expect(cohenKappa(table, { weights: 'linear', values: [5, 6, 7] }).value).toBe(
      cohenKappa(table, { weights: 'linear' }).value,
    );
  });

  it('refuses a weight matrix without ones on its diagonal', () => {
    expect(() =>
      cohenKappa(
        [
          [1, 2],
          [3, 4],
        ],
        {
          weights: [
            [0, 1],
            [1, 0],
          ],
        },
      ),
    ).toThrow(/diagonal/);
  });
});

describe('clustered kappa', () => {
  const a = ['p', 'p', 'f', 'p', 'f', 'p', 'p', 'f', 'f', 'p'];
  const b = ['p', 'f', 'f', 'p', 'p', 'p', 'p', 'f', 'p', 'p'];

  it('is the plain standard error, but for the small-sample factor, when every item stands alone', () => {
    const plain = cohenKappa(contingencyTable(a, b).table);
    const alone = clusteredKappa(
      a,
      b,
      a.map((_, item) => item),
    );
    expect(alone.se).toBeCloseTo((plain.se ?? 0) * Math.sqrt(10 / 9), 10);
    expect(alone.value).toBe(plain.value);
  });

  it('does not take ten copies of an answer for ten answers', () => {
    const ten = (labels: string[]) => labels.flatMap((label) => Array.from({ length: 10 }, () => label));
    const prompts = ten(a.map((_, item) => String(item)));
    const plain = clusteredKappa(
      a,
      b,
      a.map((_, item) => item),
    );
    const copied = clusteredKappa(ten(a), ten(b), prompts);
    expect(copied.se).toBeCloseTo(plain.se ?? 0, 10);
    expect(copied.ci?.low).toBeCloseTo(plain.ci?.low ?? 0, 10);
  });
});

describe('paradox guard', () => {
  it('speaks up when imbalance, not disagreement, makes kappa low', () => {
    expect(
      kappaParadox([
        [80, 10],
        [5, 5],
      ]).note,
    ).toBe('κ is depressed by imbalance: po .85, κ .32, AC1 .81');
  });

  it('is silent on balanced items', () => {
    expect(
      kappaParadox([
        [40, 9],
        [6, 45],
      ]).note,
    ).toBeNull();
  });
});

describe('agreement of many raters', () => {
  it('does not depend on the order of raters', () => {
    fc.assert(
      fc.property(ratings, (rows) => {
        const reversed = rows.map((row) => [...row].reverse());
        expectSame(fleissKappa(reversed).value, fleissKappa(rows).value);
        expectSame(gwetACMulti(reversed).value, gwetACMulti(rows).value);
        expectSame(krippendorffAlpha(reversed, 'nominal').value, krippendorffAlpha(rows, 'nominal').value);
      }),
    );
  });

  it('with two raters: Fleiss is Scott, Gwet is Gwet', () => {
    fc.assert(
      fc.property(square, weights, (table, chosen) => {
        const categories = table.map((_, index) => index);
        const pairs = table.flatMap((row, i) =>
          row.flatMap((count, j) => Array.from({ length: count }, () => [i, j])),
        );
        const options = { categories, weights: chosen };
        expectSame(fleissKappa(pairs, options).value, scottPi(table, { weights: chosen }).value, 1e-9);
        expectSame(gwetACMulti(pairs, options).value, gwetAC(table, { weights: chosen }).value, 1e-9);
      }),
    );
  });

  it('counts a rater that never used a declared level', () => {
    const rows = [
      ['a', 'a'],
      ['b', 'b'],
      ['a', 'b'],
      ['b', 'b'],
    ];
    const declared = gwetACMulti(rows, { categories: ['a', 'b', 'c'] });
    expect(declared.value).toBeGreaterThan(gwetACMulti(rows).value ?? 1);
  });

  it("gives alpha's interval from a seed, the same every time", () => {
    const rows = [
      ['a', 'a'],
      ['b', 'b'],
      ['a', 'b'],
      ['b', 'b'],
      ['a', 'a'],
      ['b', 'a'],
      ['a', null],
    ];
    const once = alphaInterval(rows, 'nominal', { seed: 7, B: 500 });
    expect(alphaInterval(rows, 'nominal', { seed: 7, B: 500 })).toEqual(once);
    expect(once.value).toBe(krippendorffAlpha(rows, 'nominal').value);
    expect(once.ci?.low).toBeLessThan(once.value ?? 0);
    expect(once.notes).toContain('1 units have fewer than two ratings');
  });

  it('says of a single value that alpha does not exist', () => {
    expect(
      alphaInterval(
        [
          ['a', 'a'],
          ['a', 'a'],
        ],
        'nominal',
        { seed: 1, B: 50 },
      ),
    ).toMatchObject({
      value: null,
      ci: null,
      reason: 'SINGLE_CATEGORY',
    });
  });
});

describe('confusion metrics', () => {
  it('leave 0/0 out instead of writing 0', () => {
    const { classes } = confusionMetrics([
      [0, 5],
      [0, 5],
    ]);
    expect(classes[0]?.precision.value).toBeNull();
    expect(classes[0]?.f1).toBe(0);
  });

  it('name the side without labels', () => {
    expect(
      specificity(
        [
          [5, 1],
          [0, 0],
        ],
        0,
      ),
    ).toMatchObject({ value: null, reason: 'NO_NEGATIVE_LABELS' });
    expect(
      sensitivity(
        [
          [0, 0],
          [1, 5],
        ],
        0,
      ),
    ).toMatchObject({ value: null, reason: 'NO_POSITIVE_LABELS' });
    expect(
      sensitivity(
        [
          [9, 1],
          [2, 8],
        ],
        0,
      ).value,
    ).toBe(0.9);
    expect(
      specificity(
        [
          [9, 1],
          [2, 8],
        ],
        0,
      ).value,
    ).toBe(0.8);
  });
});

function transposed(table: Table): number[][] {
  return table.map((_, i) => table.map((row) => row[i] ?? 0));
}

function expectSame(got: number | null, expected: number | null, tolerance = 1e-12): void {
  if (got === null || expected === null) expect(got).toBe(expected);
  else expect(Math.abs(got - expected)).toBeLessThanOrEqual(tolerance * Math.max(1, Math.abs(expected)));
}
