import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contingencyTable } from '../../../core/stats/contingency.ts';
import { binomialPmf, chiSquareUpper } from '../../../core/stats/distribution.ts';
import { countDrawer } from '../../../core/stats/draw-counts.ts';
import { randomStream } from '../../../core/stats/random.ts';

const DRAWS = 20_000;

/** Few cells are drawn one after the other, many by Poisson counts. */
const TABLES = [
  { name: 'few cells', counts: [300, 40, 25, 635] },
  { name: 'many cells', counts: Array.from({ length: 25 }, (_, cell) => (cell % 6 === 0 ? 76 : cell % 4)) },
];

describe('counts of a replicate', () => {
  it.each(TABLES)('keep the number of items, and leave empty cells empty: $name', ({ counts }) => {
    const n = counts.reduce((sum, count) => sum + count, 0);
    const { draw } = countDrawer(counts);
    const random = randomStream(1);
    for (let b = 0; b < 500; b++) {
      const drawn = draw(random);
      expect(drawn.reduce((sum, count) => sum + count, 0)).toBe(n);
      counts.forEach((count, cell) => {
        if (count === 0) expect(drawn[cell]).toBe(0);
      });
    }
  });

  it.each(TABLES)('follow the binomial distribution in each cell: $name', ({ counts }) => {
    const n = counts.reduce((sum, count) => sum + count, 0);
    const { draw } = countDrawer(counts);
    const random = randomStream(2);
    const seen = counts.map(() => new Array<number>(n + 1).fill(0));
    for (let b = 0; b < DRAWS; b++) {
      draw(random).forEach((count, cell) => {
        const row = seen[cell] ?? [];
        row[count] = (row[count] ?? 0) + 1;
      });
    }
    seen.forEach((row, cell) => {
      let [squares, df] = [0, -1];
      row.forEach((count, value) => {
        const expected = DRAWS * binomialPmf(value, n, (counts[cell] ?? 0) / n);
        if (expected < 5) return;
        squares += (count - expected) ** 2 / expected;
        df++;
      });
      if (df > 0) expect(chiSquareUpper(squares, df)).toBeGreaterThan(0.0002);
    });
  });

  it.each(TABLES)('of two cells vary together as in a multinomial: $name', ({ counts }) => {
    const n = counts.reduce((sum, count) => sum + count, 0);
    const { draw } = countDrawer(counts);
    const random = randomStream(3);
    const last = counts.length - 1;
    const [p, q] = [(counts[0] ?? 0) / n, (counts[last] ?? 0) / n];
    let products = 0;
    for (let b = 0; b < DRAWS; b++) {
      const drawn = draw(random);
      products += ((drawn[0] ?? 0) - n * p) * ((drawn[last] ?? 0) - n * q);
    }
    const error = (n * Math.sqrt(p * (1 - p) * q * (1 - q))) / Math.sqrt(DRAWS);
    expect(Math.abs(products / DRAWS + n * p * q)).toBeLessThan(4 * error);
  });
});

describe('labels as whole numbers', () => {
  it('are counted the same as a list of labels', () => {
    const level = fc.integer({ min: -2, max: 40 });
    fc.assert(
      fc.property(fc.array(fc.tuple(level, level), { maxLength: 40 }), (pairs) => {
        const [a, b] = [pairs.map(([left]) => left), pairs.map(([, right]) => right)];
        const categories = Array.from({ length: 43 }, (_, index) => index - 2);
        expect(contingencyTable(Int32Array.from(a), Int32Array.from(b), categories)).toEqual(
          contingencyTable(a, b, categories),
        );
      }),
    );
  });

  it('outside the categories are refused', () => {
    const labels = Int32Array.from([0, 1, 0, 1, 7]);
    expect(() => contingencyTable(labels, labels, [0, 1])).toThrow(/7 is not a category/);
  });
});
