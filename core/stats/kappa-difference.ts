import { clusterSums } from './cluster-se.ts';
import {
  categoryPositions,
  contingencyTable,
  inferCategories,
  isMissing,
  type Label,
} from './contingency.ts';
import { normalTwoSided, tQuantile, tTwoSided } from './distribution.ts';
import { estimate, interval } from './estimate.ts';
import { requireFraction, requireReal, requireSameLength, requireThat } from './input.ts';
import { kappaInfluence } from './kappa.ts';
import { multiplier, type PowerOptions, roundedUp } from './power.ts';
import { type Stat, undefinedStat } from './stat.ts';
import { at, chanceAgreement, tableShares, type WeightOptions } from './table.ts';

export interface KappaDifference extends Stat {
  kappa1: number | null;
  kappa2: number | null;
  se1: number | null;
  se2: number | null;
  cov: number | null;
  /** Before the small-sample factor, with its z and p: what papers report. */
  seLarge: number | null;
  z: number | null;
  pLarge: number | null;
  /** Product p: t with n − 1 (or clusters − 1) degrees of freedom. */
  p: number | null;
}

export interface KappaDifferenceOptions extends WeightOptions {
  categories?: readonly (string | number)[] | undefined;
  cluster?: readonly (string | number)[] | undefined;
  level?: number;
}

/**
 * Did a judge upgrade change agreement with humans? κ₂ − κ₁ of two judges on the same items, from the difference of
 * their influences, so that what both share cancels. Items that any of the three left out do not count.
 * Identical labels: difference 0, p 1. Undefined where either κ is. Source: influence functions of Fleiss, Cohen &
 * Everitt 1969; small-sample factor by simulation.
 */
export function dependentKappaDifference(
  human: readonly Label[],
  judge1: readonly Label[],
  judge2: readonly Label[],
  options: KappaDifferenceOptions = {},
): KappaDifference {
  const { level = 0.95, cluster } = options;
  requireFraction(level, 'level');
  for (const labels of [judge1, judge2, cluster ?? human]) requireSameLength(human, labels);
  const kept = human.flatMap((label, item) =>
    [label, judge1[item], judge2[item]].some(isMissing) ? [] : [item],
  );
  const categories = options.categories ?? inferCategories([...human, ...judge1, ...judge2]);
  const pick = (labels: readonly Label[]) => kept.map((item) => labels[item]);
  const first = influences(pick(human), pick(judge1), categories, options);
  const second = influences(pick(human), pick(judge2), categories, options);
  const n = kept.length;
  const nMissing = human.length - n;
  const none = {
    kappa1: null,
    kappa2: null,
    se1: null,
    se2: null,
    cov: null,
    seLarge: null,
    z: null,
    pLarge: null,
    p: null,
  };
  if (first === null || second === null) {
    return { ...undefinedStat(n === 0 ? 'EMPTY' : 'SINGLE_CATEGORY', n, nMissing), ...none };
  }
  const groups = cluster === undefined ? kept : kept.map((item) => cluster[item] ?? item);
  const units = new Set(groups).size;
  const changes = second.values.map((value, item) => value - at(first.values, item));
  const seLarge = rootOfSquares([...clusterSums(changes, groups).values()]) / n;
  const value = second.kappa - first.kappa;
  const shared = {
    kappa1: first.kappa,
    kappa2: second.kappa,
    se1: rootOfSquares(first.values) / n,
    se2: rootOfSquares(second.values) / n,
    cov: first.values.reduce((sum, influence, item) => sum + influence * at(second.values, item), 0) / n ** 2,
    seLarge,
  };
  const untested = { ...shared, z: null, pLarge: null };
  if (seLarge < 1e-12) {
    const same = { status: 'degenerate', reason: 'NO_CHANGE_OBSERVED' } as const;
    return {
      ...estimate({ value, se: 0, n, nMissing, ...same }),
      ...untested,
      p: Math.abs(value) < 1e-9 ? 1 : null,
    };
  }
  if (units < 2) {
    const few = { status: 'insufficient', reason: 'TOO_FEW_CALIBRATION' } as const;
    return { ...estimate({ value, n, nMissing, ...few }), ...untested, p: null };
  }
  const se = seLarge * Math.sqrt(units / (units - 1));
  const margin = tQuantile((1 + level) / 2, units - 1) * se;
  const ci = interval(value - margin, value + margin, level, 'influence, t', [-2, 2]);
  const z = value / seLarge;
  return {
    ...estimate({ value, se, ci, n, nMissing }),
    ...shared,
    z,
    pLarge: normalTwoSided(z),
    p: tTwoSided(value / se, units - 1),
  };
}

/** Items needed for a κ difference `delta`, from a pilot of n items: (z_α + z_power)² n se² / δ². */
export function itemsForKappaDifference(
  pilot: { n: number; se: number },
  delta: number,
  options: PowerOptions = {},
): number {
  requireReal([delta, pilot.n, pilot.se], 'delta and pilot');
  requireThat(delta !== 0, 'delta must not be 0');
  return roundedUp((multiplier(options) / delta) ** 2 * pilot.n * pilot.se ** 2).n;
}

function influences(
  human: readonly Label[],
  judge: readonly Label[],
  categories: readonly (string | number)[],
  options: WeightOptions,
): { kappa: number; values: number[] } | null {
  const shares = tableShares(contingencyTable(human, judge, categories).table, options);
  if (shares === null) return null;
  const pe = chanceAgreement(shares);
  if (1 - pe < 1e-12) return null;
  const influence = kappaInfluence(shares);
  const position = categoryPositions(categories);
  const values = human.map((label, item) => influence(position(label) ?? 0, position(judge[item]) ?? 0));
  return { kappa: (shares.po - pe) / (1 - pe), values };
}

function rootOfSquares(values: readonly number[]): number {
  return Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
}
