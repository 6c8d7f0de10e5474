import { type BootstrapOptions, type BootstrapResult, bootstrap } from './bootstrap.ts';
import { areaUnderCurve } from './calibration-metrics.ts';
import { type ConfusionFigures, confusionFigures } from './confusion.ts';
import type { Table } from './contingency.ts';
import type { Ratings } from './rating-counts.ts';
import { at } from './table.ts';
import { tableBootstrap } from './table-bootstrap.ts';

/** Interval of a figure of a confusion table that has no closed form: F1, balanced accuracy, MCC. */
export function confusionBootstrap(
  table: Table,
  figure: (figures: ConfusionFigures) => number | null,
  options: BootstrapOptions,
): BootstrapResult {
  const q = table.length;
  const rows = (cells: readonly number[]) => table.map((_, row) => cells.slice(row * q, (row + 1) * q));
  return tableBootstrap(table, (cells) => figure(confusionFigures(rows(cells))), options);
}

/** Area under the ROC curve with an interval over items; replicates of one label only are dropped. */
export function aucBootstrap(
  p: readonly number[],
  y: readonly number[],
  options: BootstrapOptions,
): BootstrapResult {
  const value = (items: readonly number[]) =>
    areaUnderCurve(
      items.map((item) => at(p, item)),
      items.map((item) => at(y, item)),
    );
  return bootstrap(p.length, value, { method: 'percentile', ...options });
}

/** Interval of a many-rater coefficient over items: all ratings of an item move together. For weighted Fleiss and AC2. */
export function ratingsBootstrap(
  ratings: Ratings,
  coefficient: (ratings: Ratings) => number | null,
  options: BootstrapOptions,
): BootstrapResult {
  const value = (items: readonly number[]) =>
    coefficient(items.flatMap((item) => (ratings[item] ? [ratings[item]] : [])));
  return bootstrap(ratings.length, value, { method: 'percentile', ...options });
}
