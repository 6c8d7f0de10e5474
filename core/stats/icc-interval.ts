import { fQuantile } from './distribution.ts';
import { interval } from './estimate.ts';
import type { Interval } from './stat.ts';

/** Mean squares of n items by k raters: between items, between raters, residual, and within items. */
export interface MeanSquares {
  n: number;
  k: number;
  rows: number;
  columns: number;
  error: number;
  within: number;
}

type IccIntervals = Record<'icc11' | 'icc21' | 'icc31' | 'icc1k' | 'icc2k' | 'icc3k', Interval | null>;

/** Intervals of all six intraclass correlations. Source: Shrout & Fleiss 1979; McGraw & Wong 1996 for model 2. */
export function iccIntervals(squares: MeanSquares, level: number): IccIntervals {
  const { n, k, rows, error, within } = squares;
  const upper = (1 + level) / 2;
  const ends = (f: number, df2: number) => ({
    low: f / fQuantile(upper, n - 1, df2),
    high: f * fQuantile(upper, df2, n - 1),
  });
  const one = ends(rows / within, n * (k - 1));
  const three = ends(rows / error, (n - 1) * (k - 1));
  const single = (f: number) => (f - 1) / (f + k - 1);
  const average = (f: number) => 1 - 1 / f;
  const ci = (low: number, high: number) => interval(low, high, level, 'F', [Number.NEGATIVE_INFINITY, 1]);
  const two = absoluteEnds(squares, upper);
  const stepUp = (rho: number) => (k * rho) / (1 + (k - 1) * rho);
  return {
    icc11: ci(single(one.low), single(one.high)),
    icc1k: ci(average(one.low), average(one.high)),
    icc31: ci(single(three.low), single(three.high)),
    icc3k: ci(average(three.low), average(three.high)),
    icc21: ci(two.low, two.high),
    icc2k: ci(stepUp(two.low), stepUp(two.high)),
  };
}

/** Ends of ICC(2,1) with Satterthwaite's degrees of freedom. */
function absoluteEnds(
  { n, k, rows, columns, error }: MeanSquares,
  upper: number,
): { low: number; high: number } {
  const rho = (rows - error) / (rows + (k - 1) * error + (k * (columns - error)) / n);
  const a = (k * rho) / (n * (1 - rho));
  const b = 1 + (k * rho * (n - 1)) / (n * (1 - rho));
  const spread = (a * columns) ** 2 / (k - 1) + (b * error) ** 2 / ((n - 1) * (k - 1));
  const df = (a * columns + b * error) ** 2 / spread;
  const noise = k * columns + (k * n - k - n) * error;
  const below = fQuantile(upper, n - 1, df);
  const above = fQuantile(upper, df, n - 1);
  return {
    low: (n * (rows - below * error)) / (below * noise + n * rows),
    high: (n * (above * rows - error)) / (noise + n * above * rows),
  };
}
