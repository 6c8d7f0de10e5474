import type { Jackknife } from './bca.ts';
import { type BootstrapOptions, type BootstrapResult, resample } from './bootstrap.ts';
import { requireTable, type Table } from './contingency.ts';
import { countDrawer } from './draw-counts.ts';
import { requireCount } from './input.ts';

/**
 * Bootstrap of a statistic of a table of whole counts (κ, F1, MCC, balanced accuracy). Many items cost no more than few:
 * above 200 the cell counts are drawn, not the items, and the result says so (`resampled`). The table is read row by
 * row, so the order of items does not matter. The jackknife costs one statistic a cell. `statistic` is given one table that
 * is refilled each time: it must not keep it.
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
  // One table is refilled: a new one a replicate costs as much as the statistic.
  const resampled = table.map((row) => [...row]);
  const of = (cells: readonly number[]) => {
    let cell = 0;
    for (const row of resampled) {
      for (let j = 0; j < q; j++) row[j] = cells[cell++] ?? 0;
    }
    return statistic(resampled);
  };
  const drawer = countDrawer(counts);
  return resample(n, n === 0 ? null : of(counts), options, drawer.by, {
    replicate: (random) => of(drawer.draw(random)),
    jackknife: () => leaveOneOut(counts, of),
  });
}

function leaveOneOut(counts: readonly number[], of: (cells: readonly number[]) => number | null): Jackknife {
  return counts.flatMap((count, cell) => {
    if (count === 0) return [];
    const without = counts.map((value, index) => (index === cell ? value - 1 : value));
    return [{ value: of(without) ?? Number.NaN, count }];
  });
}
