import { requireTable, type Table } from './contingency.ts';
import { binomialCdf, binomialPmf, normalMultiplier } from './distribution.ts';
import { estimate, interval } from './estimate.ts';
import { requireCount, requireFraction, requireThat } from './input.ts';
import { type Stat, undefinedStat } from './stat.ts';

export interface McNemar {
  /** Exact two-sided p, and the mid-p that wastes less of the level. */
  pExact: number;
  midP: number;
  /** Items that only version A passed, and that only version B passed. */
  onlyA: number;
  onlyB: number;
  n: number;
}

/**
 * Did two versions differ on the same items, one trial each? table = [[both pass, only A], [only B, both fail]].
 * Exact: a binomial test of the discordant items against ½; without any, p = 1. Not for several trials a task
 * (pairedTask). Source: McNemar 1947; Fagerland, Lydersen & Laake 2013 for mid-p.
 */
export function mcnemar(table: Table): McNemar {
  const { onlyA, onlyB, n } = discordant(table);
  const less = Math.min(onlyA, onlyB);
  const total = onlyA + onlyB;
  const pExact = Math.min(1, 2 * binomialCdf(less, total, 0.5));
  const point = binomialPmf(less, total, 0.5);
  return { pExact, midP: onlyA === onlyB ? 1 - point / 2 : pExact - point, onlyA, onlyB, n };
}

/**
 * Change of the pass rate from version A to version B on the same items, (onlyB − onlyA) / n, with the Bonett-Price
 * interval; se is its adjusted standard error. Positive: B passes more. EMPTY without items.
 * Source: Bonett & Price 2012.
 */
export function pairedDifference(table: Table, level = 0.95): Stat {
  const { onlyA, onlyB, n } = discordant(table);
  return bonettPrice(onlyA, onlyB, n, level);
}

/** (gained − lost) / n of paired items with the Bonett-Price interval. */
export function bonettPrice(lost: number, gained: number, n: number, level = 0.95): Stat {
  requireFraction(level, 'level');
  for (const [name, count] of Object.entries({ lost, gained, n })) requireCount(count, name);
  requireThat(lost + gained <= n, 'discordant items cannot exceed all items');
  if (n === 0) return undefinedStat('EMPTY');
  const down = (lost + 1) / (n + 2);
  const up = (gained + 1) / (n + 2);
  const centre = up - down;
  const se = Math.sqrt((up + down - centre * centre) / (n + 2));
  const margin = normalMultiplier(level) * se;
  const ci = interval(centre - margin, centre + margin, level, 'bonett-price', [-1, 1]);
  return estimate({ value: (gained - lost) / n, se, ci, n });
}

export function discordant(table: Table): { onlyA: number; onlyB: number; n: number } {
  requireThat(table.length === 2, 'a paired comparison needs a 2 × 2 table');
  requireTable(table);
  const [a = 0, onlyA = 0, onlyB = 0, d = 0] = table.flat();
  for (const count of [a, onlyA, onlyB, d]) requireCount(count, 'a cell');
  return { onlyA, onlyB, n: a + onlyA + onlyB + d };
}
