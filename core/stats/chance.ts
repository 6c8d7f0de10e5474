import type { Table } from './contingency.ts';
import { tQuantile } from './distribution.ts';
import { estimate, interval } from './estimate.ts';
import { requireFraction, requireThat } from './input.ts';
import { wilsonPo } from './kappa-interval.ts';
import { type Interval, type Stat, undefinedStat } from './stat.ts';
import { at, cellMean, type Shares, tableShares, type WeightOptions } from './table.ts';

export interface ChanceOptions extends WeightOptions {
  level?: number;
  nMissing?: number;
}

/**
 * Agreement of two raters beyond the chance of two raters with one common set of shares: pe = Σ wᵢⱼ mᵢ mⱼ.
 * Use it when the raters are interchangeable; for a human and a judge use Cohen's κ, which sees different leniency.
 * Source: Scott 1955; standard error Gwet 2008.
 */
export function scottPi(table: Table, options: ChanceOptions = {}): Stat {
  return corrected(table, options, (shares) => {
    const m = meanShares(shares);
    const meanWeight = shares.rowWeight.map((weight, k) => (weight + at(shares.columnWeight, k)) / 2);
    const pe = m.reduce((total, share, k) => total + share * at(meanWeight, k), 0);
    return { pe, slope: (i, j) => at(meanWeight, i) + at(meanWeight, j) };
  });
}

/**
 * Gwet's AC1 (identity weights) or AC2: chance is guessing on hard items, pe = T / (q(q − 1)) Σ mₖ(1 − mₖ).
 * It stays high where one category is rare and κ collapses; show it beside κ, never alone: it rewards a judge
 * that always passes. The table must have every declared category. Source: Gwet 2008, 2014.
 */
export function gwetAC(table: Table, options: ChanceOptions = {}): Stat {
  return corrected(table, options, (shares) => {
    const m = meanShares(shares);
    const scale = weightTotal(shares) / (shares.q * (shares.q - 1));
    const pe = scale * m.reduce((total, share) => total + share * (1 - share), 0);
    return { pe, slope: (i, j) => 2 * scale * (1 - (at(m, i) + at(m, j)) / 2) };
  });
}

/**
 * Agreement beyond uniform guessing: pe = Σ w / q², 1/q unweighted; for two categories this is PABAK = 2po − 1.
 * Source: Brennan & Prediger 1981; Byrt, Bishop & Carlin 1993.
 */
export function brennanPrediger(table: Table, options: ChanceOptions = {}): Stat {
  return corrected(table, options, (shares) => {
    const pe = weightTotal(shares) / shares.q ** 2;
    return { pe, slope: () => 2 * pe };
  });
}

export interface ByrtIndices {
  /** |a − d| / n: how unequal the two categories are. */
  prevalenceIndex: number | null;
  /** |b − c| / n: how differently the raters use them. */
  biasIndex: number | null;
  pabak: number | null;
}

/** Why a binary κ is low: prevalence, bias and the κ without them. Source: Byrt, Bishop & Carlin 1993. */
export function byrtIndices(table: Table): ByrtIndices {
  requireThat(table.length === 2, 'prevalence and bias indices need two categories');
  const shares = tableShares(table);
  if (shares === null) return { prevalenceIndex: null, biasIndex: null, pabak: null };
  const [a = 0, b = 0, c = 0, d = 0] = shares.cells.map(({ share }) => share);
  return { prevalenceIndex: Math.abs(a - d), biasIndex: Math.abs(b - c), pabak: 2 * shares.po - 1 };
}

/** Chance agreement, and how it moves with an item in cell (i, j): the mean of `slope` is 2·pe. */
interface Chance {
  pe: number;
  slope: (i: number, j: number) => number;
}

function corrected(table: Table, options: ChanceOptions, chance: (shares: Shares) => Chance): Stat {
  const { level = 0.95, nMissing = 0, weights = 'unweighted' } = options;
  requireFraction(level, 'level');
  const shares = tableShares(table, options);
  if (shares === null) return undefinedStat('EMPTY', 0, nMissing);
  const { n, q, po } = shares;
  const { pe, slope } = q < 2 ? { pe: 1, slope: () => 0 } : chance(shares);
  if (1 - pe < 1e-12) return undefinedStat('SINGLE_CATEGORY', n, nMissing);
  const value = (po - pe) / (1 - pe);
  const second = cellMean(shares.cells, ({ i, j, weight }) => (weight - (1 - value) * slope(i, j)) ** 2);
  const variance = second - (po - 2 * (1 - value) * pe) ** 2;
  const se = Math.sqrt(Math.max(0, variance) / n) / (1 - pe);
  const ci = weights === 'unweighted' ? wilsonPo(shares, pe, level) : tInterval(value, se, n, level);
  return estimate({ value, se, ci, n, nMissing });
}

function tInterval(value: number, se: number, n: number, level: number): Interval | null {
  if (n <= 1) return null;
  const margin = tQuantile((1 + level) / 2, n - 1) * se;
  return interval(value - margin, value + margin, level, 't', [Math.min(-1, value), 1]);
}

function meanShares({ rows, columns }: Shares): number[] {
  return rows.map((share, k) => (share + at(columns, k)) / 2);
}

function weightTotal({ cells }: Shares): number {
  return cells.reduce((total, { weight }) => total + weight, 0);
}
