import { normalMultiplier } from './distribution.ts';
import { estimate, finite, interval } from './estimate.ts';
import { requireCount, requireFraction, requireThat } from './input.ts';
import { type Stat, undefinedStat } from './stat.ts';

/** Items that the judge gave one verdict (or one verdict within one stratum). */
export interface VerdictCell {
  /** Labelled by humans, and how many of those they passed. */
  labelled: number;
  passed: number;
  /** Judged but not labelled. */
  unlabelled: number;
}

export interface CorrectedRate extends Stat {
  /** Middle of the interval before clipping: the smoothed estimate. */
  centre: number | null;
}

/**
 * True pass rate of all judged items, from labels on a random sample of them (overall or within verdict):
 * Σ w_h p_h over verdicts, w the share of all judged items. The interval is Laplace-smoothed and exists always; the
 * estimate is null while a verdict has no label (TOO_FEW_CALIBRATION). The default correction: no condition on the judge.
 * Never for labels chosen otherwise: enriched failures make it cover 0 %. EMPTY without items.
 * Source: post-stratification (Holt & Smith 1979) on the judge's verdict.
 */
export function correctedPassRate(cells: readonly VerdictCell[], level = 0.95): CorrectedRate {
  requireFraction(level, 'level');
  for (const { labelled, passed, unlabelled } of cells) {
    for (const count of [labelled, passed, unlabelled]) requireCount(count, 'a count');
    requireThat(passed <= labelled, 'passed must not exceed labelled');
  }
  const total = cells.reduce((sum, { labelled, unlabelled }) => sum + labelled + unlabelled, 0);
  if (total === 0) return { ...undefinedStat('EMPTY'), centre: null };
  const parts = cells.map(({ labelled, passed, unlabelled }) => ({
    weight: (labelled + unlabelled) / total,
    rate: passed / labelled,
    smooth: (passed + 1) / (labelled + 2),
    size: labelled + 2,
  }));
  const centre = parts.reduce((sum, { weight, smooth }) => sum + weight * smooth, 0);
  const within = parts.reduce(
    (sum, { weight, smooth, size }) => sum + (weight ** 2 * smooth * (1 - smooth)) / size,
    0,
  );
  const between = parts.reduce((sum, { weight, smooth }) => sum + weight * (smooth - centre) ** 2, 0) / total;
  const se = Math.sqrt(within + between);
  const margin = normalMultiplier(level) * se;
  const ci = interval(centre - margin, centre + margin, level, 'post-stratified, smoothed', [0, 1]);
  const value = finite(parts.reduce((sum, { weight, rate }) => sum + weight * rate, 0));
  const n = cells.reduce((sum, { labelled }) => sum + labelled, 0);
  const missing = { status: 'insufficient', reason: 'TOO_FEW_CALIBRATION' } as const;
  return { ...estimate({ value, se, ci, n, ...(value === null && missing) }), centre };
}
