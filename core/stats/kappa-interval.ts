import type { Table } from './contingency.ts';
import { normalMultiplier } from './distribution.ts';
import { interval } from './estimate.ts';
import type { Interval } from './stat.ts';
import { at, type Shares, tableShares } from './table.ts';
import { wilsonEnds } from './wilson.ts';

/**
 * Wilson's interval of observed agreement po of n items, mapped through a chance correction with agreement pe.
 * The default of unweighted coefficients: it does not collapse when agreement is perfect. n may be an effective size, with a t `multiplier`.
 */
export function wilsonPo(
  { po, n }: Pick<Shares, 'po' | 'n'>,
  pe: number,
  level: number,
  multiplier = normalMultiplier(level),
): Interval | null {
  const ends = wilsonEnds(Math.min(1, po), n, multiplier);
  const map = (agreement: number) => (agreement - pe) / (1 - pe);
  return interval(map(ends.low), map(ends.high), level, 'wilson-po', [-1, 1]);
}

/**
 * T + r cᵀ + diag((r + c) / 2), r and c the shares of rows and columns: two pseudo-items, one at chance, one agreed.
 * A large-sample interval of weighted κ on this table keeps its level in small samples.
 */
export function smoothedTable(table: Table): number[][] {
  const shares = tableShares(table);
  if (shares === null) return [];
  const { rows, columns } = shares;
  return table.map((row, i) =>
    row.map((count, j) => {
      const diagonal = i === j ? (at(rows, i) + at(columns, i)) / 2 : 0;
      return count + at(rows, i) * at(columns, j) + diagonal;
    }),
  );
}
