import { CholeskyDecomposition, Matrix } from 'ml-matrix';
import type { Reason } from './stat.ts';
import { at } from './table.ts';

/** A maximum of the (penalised) likelihood. */
export interface Converged {
  beta: number[];
  /** (XᵀWX)⁻¹ at the solution. */
  inverse: number[][];
  deviance: number;
}

const MOST_STEPS = 50;

/**
 * Newton's method (iteratively reweighted least squares) from 0 for rows whose first column is the intercept. Halves
 * steps that raise the deviance; stops when no coefficient moves by 1e-10. `ridge` adds ½β² on the slopes.
 */
export function fitLogistic(
  y: readonly number[],
  rows: readonly number[][],
  ridge: boolean,
): Converged | Reason {
  const width = rows[0]?.length ?? 1;
  const penalty = (beta: readonly number[]) => (ridge ? beta.slice(1).reduce((sum, b) => sum + b * b, 0) : 0);
  const loss = (beta: readonly number[]) => devianceOf(y, rows, beta) + penalty(beta);
  let beta = Array.from({ length: width }, () => 0);
  let current = loss(beta);
  for (let step = 0; step < MOST_STEPS; step++) {
    const { gradient, information } = derivatives(y, rows, beta, ridge);
    const inverse = positiveInverse(information);
    if (inverse === null) return 'SEPARATION';
    const direction = inverse.map((row) => row.reduce((sum, value, j) => sum + value * at(gradient, j), 0));
    let size = 1;
    let next = moved(beta, direction, size);
    while (loss(next) > current + 1e-12 * Math.max(1, current) && size > 1e-10) {
      size /= 2;
      next = moved(beta, direction, size);
    }
    const change = Math.max(...next.map((value, j) => Math.abs(value - at(beta, j))));
    beta = next;
    current = loss(beta);
    if (change < 1e-10) return { beta, inverse, deviance: devianceOf(y, rows, beta) };
    if (!ridge && rows.some((row) => Math.abs(dot(row, beta)) > 30)) return 'SEPARATION';
  }
  return 'NOT_CONVERGED';
}

function derivatives(
  y: readonly number[],
  rows: readonly number[][],
  beta: readonly number[],
  ridge: boolean,
) {
  const width = beta.length;
  const gradient = beta.map((b, j) => (ridge && j > 0 ? -b : 0));
  const information: number[][] = beta.map((_, i) => beta.map((_, j) => (ridge && i === j && i > 0 ? 1 : 0)));
  rows.forEach((row, item) => {
    const p = logistic(dot(row, beta));
    const residual = at(y, item) - p;
    for (let i = 0; i < width; i++) {
      gradient[i] = at(gradient, i) + at(row, i) * residual;
      for (let j = 0; j <= i; j++) add(information, i, j, p * (1 - p) * at(row, i) * at(row, j));
    }
  });
  return { gradient, information };
}

/** Adds to both entries of a symmetric matrix, so that rounding cannot part them. */
function add(matrix: number[][], i: number, j: number, value: number): void {
  const [line, mirror] = [matrix[i], matrix[j]];
  if (line === undefined || mirror === undefined) return;
  line[j] = at(line, j) + value;
  if (i !== j) mirror[i] = at(line, j);
}

/** Inverse of an information matrix scaled to unit diagonal; null where it is singular. */
function positiveInverse(information: readonly number[][]): number[][] | null {
  const scale = information.map((row, j) => Math.sqrt(at(row, j)));
  if (scale.some((value) => !(value > 1e-7))) return null;
  const scaled = new Matrix(
    information.map((row, i) => row.map((value, j) => value / (at(scale, i) * at(scale, j)))),
  );
  const factors = new CholeskyDecomposition(scaled);
  const smallest = Math.min(...factors.lowerTriangularMatrix.diagonal());
  if (!factors.isPositiveDefinite() || !(smallest > 1e-7)) return null;
  const inverted = factors.solve(Matrix.eye(scale.length)).to2DArray();
  return inverted.map((row, i) => row.map((value, j) => value / (at(scale, i) * at(scale, j))));
}

/** 1 / (1 + e^−x) without overflow. */
export function logistic(x: number): number {
  return x >= 0 ? 1 / (1 + Math.exp(-x)) : Math.exp(x) / (1 + Math.exp(x));
}

/** −2 log likelihood, with ln σ computed without overflow. */
function devianceOf(y: readonly number[], rows: readonly number[][], beta: readonly number[]): number {
  let total = 0;
  rows.forEach((row, item) => {
    const eta = dot(row, beta);
    const logOdds = Math.max(eta, 0) + Math.log1p(Math.exp(-Math.abs(eta)));
    total += 2 * (logOdds - at(y, item) * eta);
  });
  return total;
}

/** Linear predictor of a row. */
export function dot(row: readonly number[], beta: readonly number[]): number {
  return row.reduce((sum, value, j) => sum + value * at(beta, j), 0);
}

function moved(beta: readonly number[], direction: readonly number[], size: number): number[] {
  return beta.map((value, j) => value + size * at(direction, j));
}
