import { z } from 'zod';
import type { Table } from './contingency.ts';
import { normalMultiplier, normalTwoSided } from './distribution.ts';
import { estimate, finite, interval } from './estimate.ts';
import { requireFraction } from './input.ts';
import { smoothedTable, wilsonPo } from './kappa-interval.ts';
import { Interval, Stat, undefinedStat } from './stat.ts';
import { at, cellMean, chanceAgreement, type Shares, tableShares, type WeightOptions } from './table.ts';

/** Cohen's kappa with its parts. */
export const KappaResult = z.strictObject({
  ...Stat.shape,
  /** Observed and chance agreement (weighted as κ is). */
  po: z.number().nullable(),
  pe: z.number().nullable(),
  /** Standard error under κ = 0 and the p of that test: never for an interval, and never the question. */
  se0: z.number().nullable(),
  p: z.number().nullable(),
  /** κ ± z·se; null where se is 0. */
  largeSample: Interval.nullable(),
});
export type KappaResult = z.infer<typeof KappaResult>;

export interface KappaOptions extends WeightOptions {
  level?: number;
  /** Items left out of the table, carried into the result. */
  nMissing?: number;
}

/** Below this a standard error or a distance of chance agreement from 1 is rounding. */
const NOTHING = 1e-12;

/**
 * Agreement of two raters beyond chance: κ = (po − pe) / (1 − pe), pe = Σ wᵢⱼ rᵢ cⱼ.
 * se is the Fleiss-Cohen-Everitt large-sample error. The interval is `wilson-po` unweighted (Wilson's interval of po
 * mapped through κ) and `smoothed-fce` weighted: both keep their level at perfect agreement and unequal margins,
 * where κ ± z·se does not. Assumes independent items; for several answers to one prompt use clusteredKappa.
 * EMPTY without items; SINGLE_CATEGORY when chance agreement is 1; one constant rater forces κ = 0: degenerate,
 * CONSTANT_RATER. Not for more than two raters. Source: Cohen 1960, 1968; Fleiss, Cohen & Everitt 1969.
 */
export function cohenKappa(table: Table, options: KappaOptions = {}): KappaResult {
  const { level = 0.95, nMissing = 0, weights = 'unweighted' } = options;
  requireFraction(level, 'level');
  const shares = tableShares(table, options);
  const none = { po: null, pe: null, se0: null, p: null, largeSample: null };
  if (shares === null) return { ...undefinedStat('EMPTY', 0, nMissing), ...none };
  const { n, po } = shares;
  const pe = chanceAgreement(shares);
  if (1 - pe < NOTHING) return { ...undefinedStat('SINGLE_CATEGORY', n, nMissing), ...none, po, pe };
  const forced = [...shares.rows, ...shares.columns].some((share) => share >= 1 - NOTHING);
  const { kappa, se } = fleissCohenEveritt(shares);
  const value = forced ? 0 : kappa;
  const se0 = nullError(shares, pe);
  const margin = normalMultiplier(level) * se;
  const range: [number, number] = [Math.min(-1, value), 1];
  const ci = weights === 'unweighted' ? wilsonPo(shares, pe, level) : smoothedKappa(table, options).ci;
  return {
    ...estimate({ value, se, ci, n, nMissing, ...(forced && DEGENERATE) }),
    po,
    pe,
    se0: finite(se0),
    p: se0 > 0 ? finite(normalTwoSided(value / se0)) : null,
    largeSample: se > 0 ? interval(value - margin, value + margin, level, 'fce (large sample)', range) : null,
  };
}

/** κ and its large-sample interval on the table with two pseudo-items: the default interval of weighted κ. */
export function smoothedKappa(
  table: Table,
  options: KappaOptions = {},
): { value: number | null; ci: Interval | null } {
  const { level = 0.95 } = options;
  const shares = tableShares(smoothedTable(table), options);
  if (shares === null) return { value: null, ci: null };
  const { kappa, se } = fleissCohenEveritt(shares);
  const margin = normalMultiplier(level) * se;
  return {
    value: finite(kappa),
    ci: interval(kappa - margin, kappa + margin, level, 'smoothed-fce', [-1, 1]),
  };
}

/**
 * The influence of one item in cell (i, j) on κ; its mean over items is 0. Every standard error of κ is built of it:
 * plain, clustered, weighted, and of the difference of two judges. Undefined (NaN) where κ is.
 */
export function kappaInfluence(shares: Shares): (i: number, j: number) => number {
  const pe = chanceAgreement(shares);
  const kappa = (shares.po - pe) / (1 - pe);
  return (i, j) => {
    const margins = at(shares.rowWeight, i) + at(shares.columnWeight, j);
    const weight = shares.weights[i]?.[j] ?? Number.NaN;
    return (weight - margins * (1 - kappa) - (kappa - pe * (1 - kappa))) / (1 - pe);
  };
}

/**
 * The largest κ that two raters with these category shares could reach: the ceiling set by unequal use of the levels.
 * po is largest when the raters' shares are matched from the lowest level up (north-west corner fill); unweighted it
 * is Σ min(rₖ, cₖ). Null where κ is undefined. Source: Cohen 1960; Umesh, Peterson & Sauber 1989.
 */
export function kappaMax(
  table: Table,
  options: WeightOptions = {},
): { poMax: number | null; kappaMax: number | null } {
  const shares = tableShares(table, options);
  if (shares === null) return { poMax: null, kappaMax: null };
  const { rows, columns } = shares;
  const pe = chanceAgreement(shares);
  const unweighted = (options.weights ?? 'unweighted') === 'unweighted';
  const shared = rows.reduce((total, row, k) => total + Math.min(row, at(columns, k)), 0);
  const poMax = Math.min(1, unweighted ? shared : cornerFill(shares));
  return { poMax, kappaMax: 1 - pe < NOTHING ? null : finite((poMax - pe) / (1 - pe)) };
}

const DEGENERATE = { status: 'degenerate', reason: 'CONSTANT_RATER' } as const;

function fleissCohenEveritt(shares: Shares): { kappa: number; se: number } {
  const pe = chanceAgreement(shares);
  const influence = kappaInfluence(shares);
  const se = Math.sqrt(cellMean(shares.cells, ({ i, j }) => influence(i, j) ** 2) / shares.n);
  return { kappa: (shares.po - pe) / (1 - pe), se: se < NOTHING ? 0 : se };
}

function nullError(shares: Shares, pe: number): number {
  let total = 0;
  for (const { i, j, weight } of shares.cells) {
    const margins = at(shares.rowWeight, i) + at(shares.columnWeight, j);
    total += at(shares.rows, i) * at(shares.columns, j) * (weight - margins) ** 2;
  }
  return Math.sqrt(Math.max(0, total - pe * pe) / (shares.n * (1 - pe) ** 2));
}

function cornerFill({ rows, columns, weights }: Shares): number {
  const left = [...rows];
  const right = [...columns];
  let total = 0;
  for (let i = 0, j = 0; i < left.length && j < right.length; ) {
    const moved = Math.min(at(left, i), at(right, j));
    total += moved * (weights[i]?.[j] ?? 0);
    left[i] = at(left, i) - moved;
    right[j] = at(right, j) - moved;
    if (at(left, i) <= at(right, j)) i++;
    else j++;
  }
  return total;
}
