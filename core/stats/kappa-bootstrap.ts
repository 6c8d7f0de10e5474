import type { BootstrapOptions, BootstrapResult } from './bootstrap.ts';
import type { Table } from './contingency.ts';
import { at, type WeightOptions } from './table.ts';
import { tableBootstrap } from './table-bootstrap.ts';
import { agreementWeights } from './weights.ts';

/**
 * κ with a BCa bootstrap interval over items: offered beside cohenKappa's default, which keeps its level better in
 * small samples and at rates near 1 (BCa covers .82-.95 there).
 */
export function kappaBootstrap(table: Table, options: BootstrapOptions & WeightOptions): BootstrapResult {
  const weights = agreementWeights(table.length, options.weights ?? 'unweighted', options.values);
  return tableBootstrap(table, (resampled) => kappaValue(resampled, weights), options);
}

/** κ of a table and its weights, nothing else: for loops. 0 where one rater is constant, null where both are. */
export function kappaValue(table: Table, weights: readonly (readonly number[])[]): number | null {
  const q = table.length;
  const rows = table.map((row) => row.reduce((total, count) => total + count, 0));
  const columns = Array.from({ length: q }, (_, j) => table.reduce((total, row) => total + at(row, j), 0));
  const n = rows.reduce((total, count) => total + count, 0);
  let observed = 0;
  let chance = 0;
  for (let i = 0; i < q; i++) {
    for (let j = 0; j < q; j++) {
      const weight = weights[i]?.[j] ?? 0;
      observed += weight * at(table[i] ?? [], j);
      chance += weight * at(rows, i) * at(columns, j);
    }
  }
  const [po, pe] = [observed / n, chance / (n * n)];
  if (!(1 - pe >= 1e-12)) return null;
  return rows.includes(n) || columns.includes(n) ? 0 : (po - pe) / (1 - pe);
}
