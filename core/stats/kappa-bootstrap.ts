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
  return tableBootstrap(table, kappaOf(weights), options);
}

/**
 * κ by these weights and nothing else, of a table's cells row by row, for loops: what it gives keeps its sums between
 * calls, so one loop needs one. 0 where one rater is constant, null where both are.
 */
export function kappaOf(
  weights: readonly (readonly number[])[],
): (cells: readonly number[]) => number | null {
  const q = weights.length;
  const agreed = Float64Array.from(weights.flat());
  const rows = new Float64Array(q);
  const columns = new Float64Array(q);
  return (cells) => {
    columns.fill(0);
    let n = 0;
    let observed = 0;
    for (let i = 0, cell = 0; i < q; i++) {
      let row = 0;
      for (let j = 0; j < q; j++, cell++) {
        const count = cells[cell] ?? 0;
        row += count;
        columns[j] = (columns[j] ?? 0) + count;
        observed += (agreed[cell] ?? 0) * count;
      }
      rows[i] = row;
      n += row;
    }
    let chance = 0;
    let constant = false;
    for (let i = 0, cell = 0; i < q; i++) {
      const row = rows[i] ?? 0;
      if (row === n || columns[i] === n) constant = true;
      for (let j = 0; j < q; j++, cell++) chance += (agreed[cell] ?? 0) * row * (columns[j] ?? 0);
    }
    const po = observed / n;
    const pe = chance / (n * n);
    if (!(1 - pe >= 1e-12)) return null;
    return constant ? 0 : (po - pe) / (1 - pe);
  };
}
