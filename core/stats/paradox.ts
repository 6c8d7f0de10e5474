import { gwetAC } from './chance.ts';
import type { Table } from './contingency.ts';
import { cohenKappa, kappaMax } from './kappa.ts';
import { at, tableShares } from './table.ts';

/** What is always shown beside an unweighted κ. */
export interface KappaParadox {
  po: number | null;
  kappa: number | null;
  kappaMax: number | null;
  ac1: number | null;
  /** (q · largest mean share − 1) / (q − 1): 0 for even use of levels, |a − d| / n for two, 1 for one level only. */
  prevalenceIndex: number | null;
  /** One sentence where imbalance depresses κ. */
  note: string | null;
}

/**
 * Guards against reading a low κ as bad agreement when nearly all items are of one level: speaks up when the prevalence
 * index exceeds .6 and AC1 exceeds κ by more than .2. Source: Feinstein & Cicchetti 1990; Byrt, Bishop & Carlin 1993.
 */
export function kappaParadox(table: Table): KappaParadox {
  const shares = tableShares(table);
  const { value: kappa, po } = cohenKappa(table);
  const ac1 = gwetAC(table).value;
  const top = kappaMax(table).kappaMax;
  if (shares === null || shares.q < 2)
    return { po, kappa, kappaMax: top, ac1, prevalenceIndex: null, note: null };
  const largest = Math.max(...shares.rows.map((row, k) => (row + at(shares.columns, k)) / 2));
  const prevalenceIndex = (shares.q * largest - 1) / (shares.q - 1);
  const depressed = kappa !== null && ac1 !== null && prevalenceIndex > 0.6 && ac1 - kappa > 0.2;
  const figures = [po, kappa, ac1].map((value) => (value ?? 0).toFixed(2).replace('0.', '.'));
  const note = depressed
    ? `κ is depressed by imbalance: po ${figures[0]}, κ ${figures[1]}, AC1 ${figures[2]}`
    : null;
  return { po, kappa, kappaMax: top, ac1, prevalenceIndex, note };
}
