import type { BootstrapOptions, BootstrapResult } from './bootstrap.ts';
import type { Table } from './contingency.ts';
import type { WeightOptions } from './table.ts';
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
  const columns: number[] = [];
  for (let j = 0; j < q; j++) columns.push(0);
  let n = 0;
  let observed = 0;
  let constant = false;
  const rows: number[] = [];
  for (let i = 0; i < q; i++) {
    const counts = table[i] ?? [];
    const agreed = weights[i] ?? [];
    let row = 0;
    for (let j = 0; j < q; j++) {
      const count = counts[j] ?? 0;
      row += count;
      columns[j] = (columns[j] ?? 0) + count;
      observed += (agreed[j] ?? 0) * count;
    }
    rows.push(row);
    n += row;
  }
  let chance = 0;
  for (let i = 0; i < q; i++) {
    const agreed = weights[i] ?? [];
    const row = rows[i] ?? 0;
    if (row === n || columns[i] === n) constant = true;
    for (let j = 0; j < q; j++) chance += (agreed[j] ?? 0) * row * (columns[j] ?? 0);
  }
  const [po, pe] = [observed / n, chance / (n * n)];
  if (!(1 - pe >= 1e-12)) return null;
  return constant ? 0 : (po - pe) / (1 - pe);
}
