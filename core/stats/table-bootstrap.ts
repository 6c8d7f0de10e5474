import binomial from '@stdlib/stats-base-dists-binomial';
import type { Jackknife } from './bca.ts';
import { type BootstrapOptions, type BootstrapResult, resample } from './bootstrap.ts';
import { requireTable, type Table } from './contingency.ts';
import { requireCount } from './input.ts';
import type { RandomStream } from './random.ts';
import { at } from './table.ts';

/** Above this many items cell counts are drawn instead of items, so that cost does not grow with n. */
const MANY_ITEMS = 2000;

/**
 * Bootstrap of a statistic of a table of whole counts (κ, F1, MCC, balanced accuracy). Up to 2000 items are drawn one by
 * one from the table read row by row; above that the cell counts are drawn as a multinomial, one binomial a cell.
 * The result says which. The jackknife costs one statistic a cell.
 */
export function tableBootstrap(
  table: Table,
  statistic: (table: number[][]) => number | null,
  options: BootstrapOptions,
): BootstrapResult {
  requireTable(table);
  const q = table.length;
  const counts = table.flat();
  for (const count of counts) requireCount(count, 'a cell');
  const n = counts.reduce((total, count) => total + count, 0);
  const of = (cells: readonly number[]) =>
    statistic(Array.from({ length: q }, (_, row) => cells.slice(row * q, (row + 1) * q)));
  const items =
    n > MANY_ITEMS ? null : counts.flatMap((count, cell) => Array.from({ length: count }, () => cell));
  const draw =
    items === null ? (random: RandomStream) => multinomial(counts, n, random) : drawer(items, q * q);
  return resample(n, n === 0 ? null : of(counts), options, items === null ? 'cells' : 'units', {
    replicate: (random) => of(draw(random)),
    jackknife: () => leaveOneOut(counts, of),
  });
}

function drawer(items: readonly number[], cells: number): (random: RandomStream) => number[] {
  return (random) => {
    const counts = Array.from({ length: cells }, () => 0);
    for (let draws = items.length; draws > 0; draws--) {
      const cell = at(items, random.index(items.length));
      counts[cell] = at(counts, cell) + 1;
    }
    return counts;
  };
}

/** Each cell's count given the cells before it is binomial: drawn by inversion, one number a cell. */
function multinomial(counts: readonly number[], n: number, random: RandomStream): number[] {
  let left = n;
  let rest = n;
  return counts.map((count) => {
    const u = random.uniform();
    const drawn =
      count === rest ? left : left === 0 || count === 0 ? 0 : binomial.quantile(u, left, count / rest);
    left -= drawn;
    rest -= count;
    return drawn;
  });
}

function leaveOneOut(counts: readonly number[], of: (cells: readonly number[]) => number | null): Jackknife {
  return counts.flatMap((count, cell) => {
    if (count === 0) return [];
    const without = counts.map((value, index) => (index === cell ? value - 1 : value));
    return [{ value: of(without) ?? Number.NaN, count }];
  });
}
