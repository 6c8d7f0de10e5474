import { fUpper } from './distribution.ts';
import { estimate, finite } from './estimate.ts';
import { iccIntervals, type MeanSquares } from './icc-interval.ts';
import { requireFraction, requireReal, requireSameLength, requireThat } from './input.ts';
import { mean } from './moments.ts';
import { type Interval, type Reason, type Stat, undefinedStat } from './stat.ts';
import { at } from './table.ts';

/** One intraclass correlation with its F test of 0. */
export interface IccStat extends Stat {
  f: number | null;
  df1: number | null;
  df2: number | null;
  p: number | null;
}

/** One rater (x1) or the mean of k raters (xk) of models 1, 2 and 3. */
export interface Icc {
  icc11: IccStat;
  icc21: IccStat;
  icc31: IccStat;
  icc1k: IccStat;
  icc2k: IccStat;
  icc3k: IccStat;
}

/**
 * Intraclass correlations of numeric scores, ratings[item][rater]; items with a missing score are left out.
 * For human against judge: ICC(2,1), absolute agreement, loses with a lenient judge; ICC(3,1), consistency, does not:
 * the gap is the leniency. Negative estimates stand. Assumes roughly normal effects; for few ordinal levels use a
 * weighted kappa. ZERO_VARIANCE where items and errors do not vary; under two items TOO_FEW_CALIBRATION.
 * Source: Shrout & Fleiss 1979; McGraw & Wong 1996.
 */
export function icc(ratings: readonly (readonly (number | null | undefined)[])[], level = 0.95): Icc {
  requireFraction(level, 'level');
  const complete = ratings.flatMap((row) => {
    const scores = row.flatMap((score) =>
      score === null || score === undefined || Number.isNaN(score) ? [] : [score],
    );
    return scores.length === row.length ? [scores] : [];
  });
  for (const row of ratings) requireSameLength(row, ratings[0] ?? []);
  const nMissing = ratings.length - complete.length;
  const n = complete.length;
  const k = ratings[0]?.length ?? 0;
  requireThat(n === 0 || k >= 2, 'an intraclass correlation needs at least two raters');
  for (const row of complete) requireReal(row, 'ratings');
  if (n < 2) return all(n === 0 ? undefinedStat('EMPTY', 0, nMissing) : tooFew(nMissing));
  const squares = meanSquares(complete, n, k);
  if (squares.rows === 0 && squares.error === 0) return all(undefinedStat('ZERO_VARIANCE', n, nMissing));
  return estimates(squares, level, nMissing);
}

/** Mean squares of the two-way analysis of variance; sums below rounding are 0. */
function meanSquares(scores: readonly (readonly number[])[], n: number, k: number): MeanSquares {
  const grand = mean(scores.flat());
  const rowMeans = scores.map((row) => mean(row));
  const columnMeans = Array.from({ length: k }, (_, j) => mean(scores.map((row) => at(row, j))));
  const squares = (values: readonly number[]) => values.reduce((total, value) => total + value * value, 0);
  const total = squares(scores.flat().map((score) => score - grand));
  const snap = (sum: number) => (sum <= 1e-14 * total ? 0 : sum);
  const rows = snap(k * squares(rowMeans.map((value) => value - grand)));
  const columns = snap(n * squares(columnMeans.map((value) => value - grand)));
  const residuals = scores.flatMap((row, i) =>
    row.map((score, j) => score - at(rowMeans, i) - at(columnMeans, j) + grand),
  );
  const error = snap(squares(residuals));
  return {
    n,
    k,
    rows: rows / (n - 1),
    columns: columns / (k - 1),
    error: error / ((n - 1) * (k - 1)),
    within: (columns + error) / (n * (k - 1)),
  };
}

function estimates(squares: MeanSquares, level: number, nMissing: number): Icc {
  const { n, k, rows, columns, error, within } = squares;
  const cis = iccIntervals(squares, level);
  const oneWay = { f: rows / within, df1: n - 1, df2: n * (k - 1) };
  const twoWay = { f: rows / error, df1: n - 1, df2: (n - 1) * (k - 1) };
  const stat = (value: number, test: typeof oneWay, ci: Interval | null): IccStat => ({
    ...estimate({ value, ci, n, nMissing, reason: reasonOf(value) }),
    f: finite(test.f),
    df1: test.df1,
    df2: test.df2,
    p: Number.isFinite(test.f) ? finite(fUpper(test.f, test.df1, test.df2)) : 0,
  });
  const shift = (k * (columns - error)) / n;
  return {
    icc11: stat((rows - within) / (rows + (k - 1) * within), oneWay, cis.icc11),
    icc21: stat((rows - error) / (rows + (k - 1) * error + shift), twoWay, cis.icc21),
    icc31: stat((rows - error) / (rows + (k - 1) * error), twoWay, cis.icc31),
    icc1k: stat((rows - within) / rows, oneWay, cis.icc1k),
    icc2k: stat((rows - error) / (rows + shift / k), twoWay, cis.icc2k),
    icc3k: stat((rows - error) / rows, twoWay, cis.icc3k),
  };
}

function reasonOf(value: number): Reason | undefined {
  return Number.isFinite(value) ? undefined : 'ZERO_VARIANCE';
}

function tooFew(nMissing: number): Stat {
  return estimate({ value: null, n: 1, nMissing, status: 'insufficient', reason: 'TOO_FEW_CALIBRATION' });
}

function all(stat: Stat): Icc {
  const none: IccStat = { ...stat, f: null, df1: null, df2: null, p: null };
  return { icc11: none, icc21: none, icc31: none, icc1k: none, icc2k: none, icc3k: none };
}
