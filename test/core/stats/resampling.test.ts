import { describe, expect, it } from 'vitest';
import { bootstrap } from '../../../core/stats/bootstrap.ts';
import { kappaBootstrap, kappaOf } from '../../../core/stats/kappa-bootstrap.ts';
import { confusionBootstrap } from '../../../core/stats/measure-bootstrap.ts';
import { mean } from '../../../core/stats/moments.ts';
import { randomStream, seedFor } from '../../../core/stats/random.ts';
import { tableBootstrap } from '../../../core/stats/table-bootstrap.ts';
import { tauInterval } from '../../../core/stats/tau-interval.ts';

const values = [0.1, 0.9, 0.4, 0.7, 0.2, 0.8, 0.5, 0.3, 0.6, 1];
const meanOf = (units: readonly number[]) => mean(units.map((unit) => values[unit] ?? 0));

describe('random stream', () => {
  it('is the same on every machine for one seed', () => {
    const random = randomStream(5489);
    expect([random.next(), random.next()]).toEqual([3499211612, 581869302]);
  });

  it('takes its seed from the statistic and the data', () => {
    expect(seedFor('kappa', 'sha256:ab')).toBe(seedFor('kappa', 'sha256:ab'));
    expect(seedFor('kappa', 'sha256:ab')).not.toBe(seedFor('alpha', 'sha256:ab'));
    expect(() => randomStream(-1)).toThrow(/32-bit/);
  });
});

describe('bootstrap', () => {
  it('repeats itself from a seed and names what it did', () => {
    const once = bootstrap(10, meanOf, { seed: 11, B: 300 });
    expect(bootstrap(10, meanOf, { seed: 11, B: 300 })).toEqual(once);
    expect(once).toMatchObject({ B: 300, seed: 11, resampled: 'units', dropped: 0 });
    expect(once.ci?.method).toBe('bootstrap BCa');
  });

  it('keeps the sizes of strata', () => {
    const strata = [
      [0, 1, 2],
      [3, 4, 5, 6, 7, 8, 9],
    ];
    const sizes = new Set<number>();
    bootstrap(10, (units) => sizes.add(units.filter((unit) => unit < 3).length).size, {
      seed: 1,
      B: 50,
      strata,
      method: 'percentile',
    });
    expect([...sizes]).toEqual([3]);
  });

  it('drops replicates without a value, and gives up on the interval when they are many', () => {
    const rare = bootstrap(10, (units) => (units.includes(0) ? meanOf(units) : null), { seed: 1, B: 200 });
    expect(rare).toMatchObject({ ci: null, reason: 'DEGENERATE_BOOTSTRAP' });
    const often = bootstrap(10, (units) => (new Set(units).size > 4 ? meanOf(units) : null), {
      seed: 1,
      B: 2000,
    });
    expect(often.dropped).toBeGreaterThan(0);
    expect(often.ci).not.toBeNull();
  });

  it('gives no interval of width 0', () => {
    expect(bootstrap(10, () => 0.7, { seed: 1, B: 100 })).toMatchObject({
      value: 0.7,
      ci: null,
      reason: 'DEGENERATE_BOOTSTRAP',
    });
  });
});

describe('bootstrap of a table', () => {
  const small = [
    [40, 9],
    [6, 45],
  ];
  const large = small.map((row) => row.map((count) => count * 50));

  it('draws items while they are few and cell counts when they are many, with one spread', () => {
    const weights = [
      [1, 0],
      [0, 1],
    ];
    const few = kappaBootstrap(small, { seed: 5, B: 2000 });
    const many = kappaBootstrap(large, { seed: 5, B: 2000 });
    expect([few.resampled, many.resampled]).toEqual(['units', 'cells']);
    expect((many.se ?? 0) * Math.sqrt(50)).toBeCloseTo(few.se ?? 0, 2);
    expect(many.value).toBe(kappaOf(weights)(small.flat()));
  });

  it('keeps the number of items in every replicate', () => {
    const totals = new Set<number>();
    tableBootstrap(large, (cells) => totals.add(cells.reduce((sum, count) => sum + count, 0)).size, {
      seed: 2,
      B: 100,
    });
    expect([...totals]).toEqual([5000]);
  });

  it('serves F1, balanced accuracy and MCC', () => {
    const result = confusionBootstrap(small, ({ mcc }) => mcc, { seed: 3, B: 400 });
    expect(result.ci?.low).toBeLessThan(result.value ?? 0);
    expect(result.ci?.high).toBeGreaterThan(result.value ?? 1);
  });
});

describe("Kendall's tau", () => {
  const x = [5, 2, 4, 4, 5, 2, 1, 2, 3, 3, 1, 5];
  const y = [5, 1, 5, 3, 5, 3, 2, 1, 4, 3, 1, 4];

  it('has a BCa interval over items', () => {
    const result = tauInterval(x, y, { seed: 4, B: 500 });
    expect(result.ci?.method).toBe('bootstrap BCa');
    expect(result.ci?.low).toBeLessThan(result.value ?? 0);
  });

  it('of a constant rater does not exist', () => {
    expect(
      tauInterval(
        x.map(() => 1),
        y,
        { seed: 4, B: 20 },
      ),
    ).toMatchObject({ value: null, reason: 'ZERO_VARIANCE' });
  });
});
