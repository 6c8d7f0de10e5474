import { z } from 'zod';
import { adjustP } from './adjust-p.ts';
import { requireProbability } from './input.ts';
import { Interval, Reason, type Stat } from './stat.ts';

/** The biases that a judge report looks for. */
export const BiasKind = z.enum([
  'position',
  'verbosity-pairwise',
  'verbosity-absolute',
  'self-preference',
  'leniency',
  'central-tendency',
  'rubric-order',
]);
export type BiasKind = z.infer<typeof BiasKind>;

/** The smallest effect that matters, in the effect's own units (shares of the range for scores). */
export const SMALLEST_EFFECT: Readonly<Record<BiasKind, number>> = {
  position: 0.05,
  'verbosity-pairwise': 0.05,
  'verbosity-absolute': 0.1,
  'self-preference': 0.05,
  leniency: 0.05,
  'central-tendency': Math.log(1.15),
  'rubric-order': 0.03,
};

/** One measured bias and what it amounts to among all that were shown together. */
export const BiasFinding = z.strictObject({
  kind: BiasKind,
  effect: z.number().nullable(),
  ci: Interval.nullable(),
  /** The interval that is compared with ±sesoi. */
  ci90: Interval.nullable(),
  p: z.number().nullable(),
  /** Benjamini-Hochberg over the report. */
  pAdjusted: z.number().nullable(),
  n: z.number(),
  sesoi: z.number(),
  flag: z.enum(['biased', 'clear', 'inconclusive']),
  /** Items at which an inconclusive measure would tell; null where that is unknown or not needed. */
  itemsNeeded: z.number().nullable(),
  reason: Reason.optional(),
});
export type BiasFinding = z.infer<typeof BiasFinding>;

/** A bias measured at two levels, with its p. */
export interface BiasMeasure {
  kind: BiasKind;
  stat: Stat;
  ci90: Interval | null;
  p: number | null;
  sesoi: number;
}

/** Measures a bias at the report's level and at 90 %; `p` tests no effect. */
export function biasMeasure(
  kind: BiasKind,
  measure: (level: number) => Stat,
  p: number | null,
  options: { level?: number; sesoi?: number } = {},
): BiasMeasure {
  const { level = 0.95, sesoi = SMALLEST_EFFECT[kind] } = options;
  return { kind, stat: measure(level), ci90: measure(0.9).ci, p, sesoi };
}

/**
 * Flags all biases of one report together. biased: the effect is at least sesoi and its p, adjusted over the report,
 * at most .05; clear: the 90 % interval lies inside ±sesoi (two one-sided tests); else inconclusive, with the items that
 * would decide. An insufficient measure is never more than inconclusive. Both conditions together keep out false alarms and effects too small to matter.
 * Source: Schuirmann 1987; Benjamini & Hochberg 1995.
 */
export function biasFlags(measures: readonly BiasMeasure[]): BiasFinding[] {
  const tested = measures.filter(({ p }) => p !== null);
  for (const { p } of tested) requireProbability(p ?? 0, 'p');
  const { bh } = adjustP(tested.map(({ p }) => p ?? 1));
  return measures.map((measure) => {
    const pAdjusted = bh[tested.indexOf(measure)] ?? null;
    const flag = flagOf(measure, pAdjusted);
    const { kind, stat, ci90, p, sesoi } = measure;
    return {
      kind,
      effect: stat.value,
      ci: stat.ci,
      ci90,
      p,
      pAdjusted,
      n: stat.n,
      sesoi,
      flag,
      itemsNeeded: flag === 'inconclusive' ? itemsNeeded(measure) : null,
      ...(stat.reason !== undefined && { reason: stat.reason }),
    };
  });
}

function flagOf({ stat, ci90, sesoi }: BiasMeasure, pAdjusted: number | null): BiasFinding['flag'] {
  if (stat.value !== null && Math.abs(stat.value) >= sesoi && pAdjusted !== null && pAdjusted <= 0.05)
    return 'biased';
  return ci90 !== null && ci90.low > -sesoi && ci90.high < sesoi ? 'clear' : 'inconclusive';
}

/** ⌈n (h₉₀ / sesoi)²⌉: where the 90 % half-width equals sesoi. */
function itemsNeeded({ stat, ci90, sesoi }: BiasMeasure): number | null {
  if (ci90 === null) return null;
  const half = (ci90.high - ci90.low) / 2;
  return Math.ceil(stat.n * (half / sesoi) ** 2);
}
