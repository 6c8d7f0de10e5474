import { Matrix, QrDecomposition } from 'ml-matrix';
import { sampleCorrelation } from 'simple-statistics';
import { type Correlation, correlationP, fisherInterval, requirePairs } from './correlation.ts';
import { normalMultiplier } from './distribution.ts';
import { estimate } from './estimate.ts';
import { requireReal, requireSameLength } from './input.ts';
import { variance } from './moments.ts';
import { undefinedStat } from './stat.ts';
import { at } from './table.ts';
import { midRanks } from './wilcoxon.ts';

export interface PartialCorrelation extends Correlation {
  t: number | null;
  df: number;
}

/**
 * Correlation of x and y that the columns of z do not explain: of the residuals of two least-squares fits, or of their
 * mid-ranks (spearman). For verbosity of single scores: x judge score, y ln(tokens), z human score; when humans prefer
 * length too, only this part is bias. Ordinal z leaves residual confounding: from 100 items on give its levels as
 * columns (levelColumns). ZERO_VARIANCE where x, y or a column of z does not vary by itself. Source: Fisher 1924.
 */
export function partialCorrelation(
  x: readonly number[],
  y: readonly number[],
  z: readonly (readonly number[])[],
  options: { method?: 'pearson' | 'spearman'; level?: number } = {},
): PartialCorrelation {
  const { method = 'pearson', level = 0.95 } = options;
  requirePairs(x, y, level);
  requireSameLength(x, z);
  for (const row of z) {
    requireSameLength(row, z[0] ?? []);
    requireReal(row, 'z');
  }
  const n = x.length;
  const k = z[0]?.length ?? 0;
  const df = n - 2 - k;
  const none = { p: null, t: null, df };
  if (n === 0) return { ...undefinedStat('EMPTY'), ...none };
  if (df < 1) {
    return {
      ...estimate({ value: null, n, status: 'insufficient', reason: 'TOO_FEW_CALIBRATION' }),
      ...none,
    };
  }
  const rank = (values: readonly number[]) => (method === 'spearman' ? midRanks(values) : [...values]);
  const controls = Array.from({ length: k }, (_, j) => rank(z.map((row) => at(row, j))));
  const left = residuals(rank(x), controls);
  const right = residuals(rank(y), controls);
  if (left === null || right === null) return { ...undefinedStat('ZERO_VARIANCE', n), ...none };
  const r = Math.max(-1, Math.min(1, sampleCorrelation(left, right)));
  const half = n - k - 3 > 0 ? normalMultiplier(level) / Math.sqrt(n - k - 3) : Number.NaN;
  const ci = fisherInterval(r, half, level, 'fisher');
  const t = Math.abs(r) < 1 ? (r * Math.sqrt(df)) / Math.sqrt(1 - r * r) : null;
  return { ...estimate({ value: r, ci, n }), p: correlationP(r, df), t, df };
}

/** One 0/1 column for each level but the first: an ordinal score as categories. */
export function levelColumns(values: readonly number[]): number[][] {
  const levels = [...new Set(values)].sort((a, b) => a - b).slice(1);
  return values.map((value) => levels.map((level) => (value === level ? 1 : 0)));
}

/** What a least-squares fit on the controls leaves; null where nothing is left or a control is redundant. */
function residuals(values: readonly number[], controls: readonly number[][]): number[] | null {
  const columns = [values.map(() => 1), ...controls.map(unitScaled)];
  const design = new Matrix(columns).transpose();
  const factors = new QrDecomposition(design);
  const scaled = unitScaled(values);
  if (factors.upperTriangularMatrix.diagonal().some((pivot) => !(Math.abs(pivot) > 1e-9))) return null;
  const fitted = design.mmul(factors.solve(Matrix.columnVector(scaled))).to1DArray();
  const rest = scaled.map((value, row) => value - at(fitted, row));
  return variance(rest) > 1e-18 ? rest : null;
}

/** Values by their largest magnitude: residual correlations do not depend on scale. */
function unitScaled(values: readonly number[]): number[] {
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return largest === 0 ? [...values] : values.map((value) => value / largest);
}
