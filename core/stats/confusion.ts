import { requireTable, type Table } from './contingency.ts';
import { finite } from './estimate.ts';
import { requireThat } from './input.ts';
import { type Stat, undefinedStat } from './stat.ts';
import { at } from './table.ts';
import { wilson } from './wilson.ts';

export interface ClassMetrics {
  precision: Stat;
  recall: Stat;
  f1: number | null;
  /** Items that the human put in this class. */
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
 * Intervals of F1, balanced accuracy and mcc come from tableBootstrap. None of these corrects for chance but mcc.
 * Source: Gorodkin 2004.
 */
export function confusionMetrics(table: Table, level = 0.95): ConfusionMetrics {
  requireTable(table);
  const rows = table.map(total);
  const columns = table.map((_, k) => total(table.map((row) => at(row, k))));
  const hits = table.map((row, k) => at(row, k));
  const n = total(rows);
  const classes = hits.map((hit, k) => classMetrics(hit, at(rows, k), at(columns, k), level));
  const f1s = classes.flatMap(({ f1 }) => (f1 === null ? [] : [f1]));
  const recalls = classes.flatMap(({ recall }) => (recall.value === null ? [] : [recall.value]));
  const weighted = total(classes.map(({ f1, support }) => (f1 ?? 0) * support));
  return {
    n,
    accuracy: wilson(total(hits), n, level),
    classes,
    macroF1: finite(total(f1s) / f1s.length),
    weightedF1: finite(weighted / n),
    balancedAccuracy: finite(total(recalls) / recalls.length),
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

function classMetrics(hit: number, support: number, judged: number, level: number): ClassMetrics {
  return {
    precision: wilson(hit, judged, level),
    recall: wilson(hit, support, level),
    f1: finite((2 * hit) / (support + judged)),
    support,
  };
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
