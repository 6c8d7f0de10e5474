import { requireTable, type Table } from './contingency.ts';
import { finite } from './estimate.ts';
import { requireThat } from './input.ts';
import { type Stat, undefinedStat } from './stat.ts';
import { at } from './table.ts';
import { wilson } from './wilson.ts';

/** Point figures of a confusion table; 0/0 is null, never 0. One entry a class in the lists. */
export interface ConfusionFigures {
  n: number;
  accuracy: number | null;
  precision: (number | null)[];
  recall: (number | null)[];
  f1: (number | null)[];
  /** Items that the human put in each class. */
  support: number[];
  macroF1: number | null;
  weightedF1: number | null;
  balancedAccuracy: number | null;
  mcc: number | null;
}

export interface ClassMetrics {
  precision: Stat;
  recall: Stat;
  f1: number | null;
  support: number;
}

export interface ConfusionMetrics {
  n: number;
  accuracy: Stat;
  classes: ClassMetrics[];
  macroF1: number | null;
  weightedF1: number | null;
  balancedAccuracy: number | null;
  mcc: number | null;
}

/**
 * How a judge (columns) reproduces human labels (rows): rates with Wilson's interval; 0/0 is null, never 0.
 * macroF1 averages classes that occur on either side, balancedAccuracy those with support; mcc is Gorodkin's R_K.
 * Intervals of F1, balanced accuracy and mcc come from confusionBootstrap. Only mcc corrects for chance.
 * Source: Gorodkin 2004.
 */
export function confusionMetrics(table: Table, level = 0.95): ConfusionMetrics {
  const { n, f1, macroF1, weightedF1, balancedAccuracy, mcc } = confusionFigures(table);
  const { rows, columns, hits } = margins(table);
  const classes = hits.map((hit, k) => ({
    precision: wilson(hit, at(columns, k), level),
    recall: wilson(hit, at(rows, k), level),
    f1: f1[k] ?? null,
    support: at(rows, k),
  }));
  return { n, accuracy: wilson(total(hits), n, level), classes, macroF1, weightedF1, balancedAccuracy, mcc };
}

/** The figures of confusionMetrics without intervals: for loops. */
export function confusionFigures(table: Table): ConfusionFigures {
  requireTable(table);
  const { rows, columns, hits } = margins(table);
  const n = total(rows);
  const precision = hits.map((hit, k) => finite(hit / at(columns, k)));
  const recall = hits.map((hit, k) => finite(hit / at(rows, k)));
  const f1 = hits.map((hit, k) => finite((2 * hit) / (at(rows, k) + at(columns, k))));
  return {
    n,
    accuracy: finite(total(hits) / n),
    precision,
    recall,
    f1,
    support: rows,
    macroF1: meanOf(f1),
    weightedF1: finite(total(f1.map((value, k) => (value ?? 0) * at(rows, k))) / n),
    balancedAccuracy: meanOf(recall),
    mcc: matthews(total(hits), n, rows, columns),
  };
}

/** The judge's pass rate among items that humans passed (TPR); `positive` is the index of "pass". NO_POSITIVE_LABELS without one. */
export function sensitivity(table: Table, positive: 0 | 1, level = 0.95): Stat {
  requireBinary(table);
  const stat = confusionMetrics(table, level).classes[positive]?.recall;
  return stat === undefined || stat.n === 0 ? undefinedStat('NO_POSITIVE_LABELS') : stat;
}

/** The judge's fail rate among items that humans failed (TNR). NO_NEGATIVE_LABELS without one. */
export function specificity(table: Table, positive: 0 | 1, level = 0.95): Stat {
  requireBinary(table);
  const stat = confusionMetrics(table, level).classes[positive === 0 ? 1 : 0]?.recall;
  return stat === undefined || stat.n === 0 ? undefinedStat('NO_NEGATIVE_LABELS') : stat;
}

function requireBinary(table: Table): void {
  requireThat(table.length === 2, 'sensitivity and specificity need a 2 × 2 table');
}

function margins(table: Table): { rows: number[]; columns: number[]; hits: number[] } {
  const columns = table.map((_, k) => table.reduce((sum, row) => sum + at(row, k), 0));
  return { rows: table.map(total), columns, hits: table.map((row, k) => at(row, k)) };
}

function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return finite(total(known) / known.length);
}

function matthews(
  hits: number,
  n: number,
  rows: readonly number[],
  columns: readonly number[],
): number | null {
  const across = total(rows.map((row, k) => row * at(columns, k)));
  const rowSpread = n * n - total(rows.map((row) => row * row));
  const columnSpread = n * n - total(columns.map((column) => column * column));
  if (rowSpread <= 0 || columnSpread <= 0) return null;
  return finite((hits * n - across) / (Math.sqrt(rowSpread) * Math.sqrt(columnSpread)));
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
