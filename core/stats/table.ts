import { requireTable, type Table } from './contingency.ts';
import { agreementWeights, type Weights } from './weights.ts';

export interface WeightOptions {
  weights?: Weights;
  /** Places of levels that are not equally spaced, for linear and quadratic weights. */
  values?: readonly number[] | undefined;
}

/** One cell of a table of agreement: its place, its share of all items and its agreement weight. */
export interface Cell {
  i: number;
  j: number;
  share: number;
  weight: number;
}

/** A two-rater table in shares, with what every chance-corrected coefficient needs of it. */
export interface Shares {
  n: number;
  q: number;
  cells: Cell[];
  /** Shares of rater A's and rater B's categories. */
  rows: number[];
  columns: number[];
  /** Mean agreement weight of row i against B's shares, and of column j against A's. */
  rowWeight: number[];
  columnWeight: number[];
  /** Observed weighted agreement. */
  po: number;
  weights: number[][];
}

/** Shares of a checked table; null when it holds no items. Cost O(q²). */
export function tableShares(table: Table, options: WeightOptions = {}): Shares | null {
  requireTable(table);
  return sharesOf(table, options);
}

/** tableShares without the check: a planned table may have an impossible cell. */
export function sharesOf(table: Table, options: WeightOptions = {}): Shares | null {
  const q = table.length;
  const weights = agreementWeights(q, options.weights ?? 'unweighted', options.values);
  const n = table.reduce((total, row) => total + row.reduce((sum, count) => sum + count, 0), 0);
  if (n <= 0) return null;
  const cells = table.flatMap((row, i) =>
    row.map((count, j) => ({ i, j, share: count / n, weight: weights[i]?.[j] ?? 0 })),
  );
  const rows = Array.from({ length: q }, () => 0);
  const columns = Array.from({ length: q }, () => 0);
  for (const { i, j, share } of cells) {
    rows[i] = at(rows, i) + share;
    columns[j] = at(columns, j) + share;
  }
  const rowWeight = Array.from({ length: q }, () => 0);
  const columnWeight = Array.from({ length: q }, () => 0);
  for (const { i, j, weight } of cells) {
    rowWeight[i] = at(rowWeight, i) + weight * at(columns, j);
    columnWeight[j] = at(columnWeight, j) + weight * at(rows, i);
  }
  return {
    n,
    q,
    cells,
    rows,
    columns,
    rowWeight,
    columnWeight,
    po: cellMean(cells, ({ weight }) => weight),
    weights,
  };
}

/** Σ wᵢⱼ rᵢ cⱼ: agreement of raters who keep their shares and do not look. */
export function chanceAgreement(shares: Shares): number {
  return shares.rows.reduce((total, share, i) => total + share * at(shares.rowWeight, i), 0);
}

/** Mean of what `value` says of a cell, over items. */
export function cellMean(cells: readonly Cell[], value: (cell: Cell) => number): number {
  let total = 0;
  for (const cell of cells) if (cell.share !== 0) total += cell.share * value(cell);
  return total;
}

/** The element at an index that the caller knows to exist, as a number. */
export function at(values: ArrayLike<number>, index: number): number {
  return values[index] ?? Number.NaN;
}
