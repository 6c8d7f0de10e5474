import { Matrix } from 'ml-matrix';
import { clusterSums } from './cluster-se.ts';
import { requireProbability, requireReal, requireSameLength } from './input.ts';
import { type Converged, dot, fitLogistic, logistic } from './logistic-fit.ts';
import { deviation, mean } from './moments.ts';
import type { Reason, Stat } from './stat.ts';
import { at } from './table.ts';

export interface LogisticFit {
  /** Intercept first; null where the fit does not exist. */
  coef: number[] | null;
  se: number[] | null;
  /** Cluster-robust, factor G/(G − 1); null without clusters or with one. */
  seCluster: number[] | null;
  /** Covariance of the coefficients: clustered where clusters are given. */
  covariance: number[][] | null;
  clusters: number;
  deviance: number | null;
  n: number;
  status: Stat['status'];
  reason?: Reason;
  notes: string[];
}

export interface LogisticOptions {
  cluster?: readonly (string | number)[] | undefined;
  /** Penalty ½β² on the slopes of standardised columns, for separated data. No standard errors then. */
  ridge?: boolean;
}

/**
 * Logistic regression of y in [0, 1] on the columns of X (an intercept is added) by iteratively reweighted least
 * squares, halving steps that raise the deviance. Cluster-robust errors let rows of one item move together.
 * SEPARATION when the columns predict y perfectly or do not vary independently (undefined; fit again with `ridge`);
 * NOT_CONVERGED after 50 steps; below 10 events a coefficient: insufficient. Source: McCullagh & Nelder 1989.
 */
export function logisticRegression(
  y: readonly number[],
  X: readonly (readonly number[])[],
  options: LogisticOptions = {},
): LogisticFit {
  const { cluster, ridge = false } = options;
  requireSameLength(y, X);
  for (const value of y) requireProbability(value, 'y');
  for (const row of X) {
    requireSameLength(row, X[0] ?? []);
    requireReal(row, 'X');
  }
  if (cluster !== undefined) requireSameLength(y, cluster);
  const n = y.length;
  const scale = ridge ? columnScale(X) : null;
  const rows = X.map((row) => [1, ...row.map((value, j) => standardised(value, scale?.[j]))]);
  const none = {
    coef: null,
    se: null,
    seCluster: null,
    covariance: null,
    clusters: 0,
    deviance: null,
    n,
    notes: [],
  };
  if (n === 0) return { ...none, status: 'undefined', reason: 'EMPTY' };
  const fit = fitLogistic(y, rows, ridge);
  if (typeof fit === 'string') return { ...none, status: 'undefined', reason: fit };
  if (scale !== null) {
    const coef = unscaled(fit.beta, scale);
    return {
      ...none,
      coef,
      deviance: fit.deviance,
      status: 'degenerate',
      reason: 'SEPARATION',
      notes: ['regularised'],
    };
  }
  const robust = cluster === undefined ? null : sandwich(y, rows, fit, cluster);
  const diagonal = (matrix: number[][]) => matrix.map((row, j) => Math.sqrt(Math.max(0, at(row, j))));
  const positives = y.reduce((total, value) => total + value, 0);
  const few = Math.min(positives, n - positives) < 10 * fit.beta.length;
  return {
    coef: fit.beta,
    se: diagonal(fit.inverse),
    seCluster: robust === null ? null : diagonal(robust.covariance),
    covariance: robust?.covariance ?? (cluster === undefined ? fit.inverse : null),
    clusters: cluster === undefined ? n : new Set(cluster).size,
    deviance: fit.deviance,
    n,
    status: few ? 'insufficient' : 'ok',
    notes: few ? ['fewer than 10 events a coefficient'] : [],
  };
}

/** (XᵀWX)⁻¹ (Σ_g s_g s_gᵀ) (XᵀWX)⁻¹ · G/(G − 1), s_g the score of a cluster; null with one cluster. */
function sandwich(
  y: readonly number[],
  rows: readonly number[][],
  { beta, inverse }: Converged,
  cluster: readonly (string | number)[],
): { covariance: number[][] } | null {
  const residuals = rows.map((row, item) => at(y, item) - logistic(dot(row, beta)));
  const scores = beta.map((_, j) => [
    ...clusterSums(
      rows.map((row, item) => at(row, j) * at(residuals, item)),
      cluster,
    ).values(),
  ]);
  const clusters = scores[0]?.length ?? 0;
  if (clusters < 2) return null;
  const bread = new Matrix(inverse);
  const half = bread.mmul(new Matrix(scores));
  return {
    covariance: half
      .mmul(half.transpose())
      .mul(clusters / (clusters - 1))
      .to2DArray(),
  };
}

interface ColumnScale {
  centre: number;
  spread: number;
}

function columnScale(X: readonly (readonly number[])[]): ColumnScale[] {
  return (X[0] ?? []).map((_, j) => {
    const column = X.map((row) => at(row, j));
    const spread = deviation(column);
    return { centre: mean(column), spread: spread > 0 ? spread : 1 };
  });
}

function standardised(value: number, scale: ColumnScale | undefined): number {
  return scale === undefined ? value : (value - scale.centre) / scale.spread;
}

function unscaled(beta: readonly number[], scale: readonly ColumnScale[]): number[] {
  const slopes = scale.map(({ spread }, j) => at(beta, j + 1) / spread);
  const shift = scale.reduce((sum, { centre }, j) => sum + centre * at(slopes, j), 0);
  return [at(beta, 0) - shift, ...slopes];
}
