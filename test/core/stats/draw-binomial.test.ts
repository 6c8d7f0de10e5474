import { describe, expect, it } from 'vitest';
import { binomialPmf, chiSquareUpper } from '../../../core/stats/distribution.ts';
import { chanceOf, drawBinomial } from '../../../core/stats/draw-binomial.ts';
import { randomStream } from '../../../core/stats/random.ts';

const DRAWS = 40_000;

describe('binomial draws', () => {
  it.each([
    [7, 0.3],
    [40, 0.25],
    [50, 0.7],
    [100, 0.13],
    [1000, 0.02],
    [5000, 0.001],
    [5000, 0.03],
    [40_000, 0.0001],
    [1000, 0.995],
  ])('follow the distribution of %i trials at %f', (n, p) => {
    const random = randomStream(3);
    const chance = chanceOf(p);
    const seen = new Array<number>(n + 1).fill(0);
    for (let b = 0; b < DRAWS; b++) {
      const drawn = drawBinomial(random, n, chance);
      seen[drawn] = (seen[drawn] ?? 0) + 1;
    }
    let [squares, df] = [0, -1];
    seen.forEach((count, value) => {
      const expected = DRAWS * binomialPmf(value, n, p);
      if (expected < 5) return;
      squares += (count - expected) ** 2 / expected;
      df++;
    });
    expect(chiSquareUpper(squares, df)).toBeGreaterThan(0.001);
  });

  it('keep mean and spread beyond the table of factorials', () => {
    const random = randomStream(4);
    const chance = chanceOf(0.3);
    const draws = Array.from({ length: DRAWS }, () => drawBinomial(random, 1_000_000, chance) - 300_000);
    const spread = Math.sqrt(210_000);
    const mean = draws.reduce((sum, draw) => sum + draw, 0) / DRAWS;
    const second = draws.reduce((sum, draw) => sum + draw * draw, 0) / DRAWS;
    expect(Math.abs(mean)).toBeLessThan((4 * spread) / Math.sqrt(DRAWS));
    expect(Math.sqrt(second) / spread).toBeCloseTo(1, 1);
  });

  it('are certain at 0, 1 and without trials', () => {
    const random = randomStream(5);
    expect([0, 1].map((p) => drawBinomial(random, 9, chanceOf(p)))).toEqual([0, 9]);
    expect([0, 0.4, 1].map((p) => drawBinomial(random, 0, chanceOf(p)))).toEqual([0, 0, 0]);
  });
});
