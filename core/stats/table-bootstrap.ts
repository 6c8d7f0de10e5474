import type { Jackknife } from './bca.ts';
import { type BootstrapOptions, type BootstrapResult, resample } from './bootstrap.ts';
import { requireTable, type Table } from './contingency.ts';
import { countDrawer } from './draw-counts.ts';
import { requireCount } from './input.ts';

/**
 * Bootstrap of a statistic of a table of whole counts (κ, F1, MCC, balanced accuracy). Many items cost no more than few:
 * above 200 the cell counts are drawn, not the items, and the result says so (`resampled`). The table is read row by
 * row, so the order of items does not matter. The jackknife costs one statistic a cell. `statistic` is given the cells row
 * by row, in one array that is refilled each time: it must not keep it.
 */
export function tableBootstrap(
  table: Table,
  statistic: (cells: readonly number[]) => number | null,
  options: BootstrapOptions,
): BootstrapResult {
  requireTable(table);
  const counts = table.flat();
  for (const count of counts) requireCount(count, 'a cell');
  const n = counts.reduce((total, count) => total + count, 0);
  const drawer = countDrawer(counts);
  return resample(n, n === 0 ? null : statistic(counts), options, drawer.by, {
    replicate: (random) => statistic(drawer.draw(random)),
    jackknife: () => leaveOneOut(counts, statistic),
  });
}

function leaveOneOut(
  counts: readonly number[],
  statistic: (cells: readonly number[]) => number | null,
): Jackknife {
  return counts.flatMap((count, cell) => {
    if (count === 0) return [];
    const without = counts.map((value, index) => (index === cell ? value - 1 : value));
    return [{ value: statistic(without) ?? Number.NaN, count }];
  });
}
