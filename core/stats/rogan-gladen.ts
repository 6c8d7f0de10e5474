import { normalMultiplier } from './distribution.ts';
import { estimate, finite, interval } from './estimate.ts';
import { requireCount, requireFraction, requireThat } from './input.ts';
import { type Interval, type Stat, undefinedStat } from './stat.ts';
import { wilsonEnds } from './wilson.ts';

/** Judged items, and the labels that measured the judge on known passes and known failures. */
export interface JudgedCounts {
  /** Of n judged items the judge passed x. */
  x: number;
  n: number;
  /** Of nPos items that humans passed the judge passed tp. */
  tp: number;
  nPos: number;
  /** Of nNeg items that humans failed the judge failed tn. */
  tn: number;
  nNeg: number;
}

export interface RoganGladen extends Stat {
  /** Before clipping to [0, 1]. */
  thetaRaw: number | null;
  tpr: number | null;
  tnr: number | null;
  /** Delta-method interval, for teaching only. */
  wald: Interval | null;
}

/**
 * True pass rate behind a judge's, θ = (p + TNR − 1) / (TPR + TNR − 1), with the Lang-Reiczigel interval.
 * For labels that come from elsewhere than the judged items (enriched with failures, an older version): assumes TPR and
 * TNR carry over. On a random sample of the judged items correctedPassRate is far more precise.
 * JUDGE_NOT_BETTER_THAN_CHANCE when TPR + TNR ≤ 1; NO_POSITIVE_LABELS, NO_NEGATIVE_LABELS; insufficient while the
 * labels cannot show TPR + TNR − 1 above .1. Source: Rogan & Gladen 1978; Lang & Reiczigel 2014.
 */
export function roganGladen(counts: JudgedCounts, level = 0.95): RoganGladen {
  const { x, n, tp, nPos, tn, nNeg } = checked(counts, level);
  const none = { thetaRaw: null, tpr: finite(tp / nPos), tnr: finite(tn / nNeg), wald: null };
  if (n === 0) return { ...undefinedStat('EMPTY'), ...none };
  if (nPos === 0) return { ...undefinedStat('NO_POSITIVE_LABELS', n), ...none };
  if (nNeg === 0) return { ...undefinedStat('NO_NEGATIVE_LABELS', n), ...none };
  const [p, tpr, tnr] = [x / n, tp / nPos, tn / nNeg];
  const youden = tpr + tnr - 1;
  if (youden <= 1e-12) return { ...undefinedStat('JUDGE_NOT_BETTER_THAN_CHANCE', n), ...none };
  const thetaRaw = (p + tnr - 1) / youden;
  const spread =
    thetaRaw ** 2 * ((tpr * (1 - tpr)) / nPos) + (1 - thetaRaw) ** 2 * ((tnr * (1 - tnr)) / nNeg);
  const se = Math.sqrt((p * (1 - p)) / n + spread) / youden;
  const margin = normalMultiplier(level) * se;
  const inside = thetaRaw >= 0 && thetaRaw <= 1;
  const reliable = youdenFloor(counts, level) > 0.1;
  const stat = estimate({
    value: Math.min(1, Math.max(0, thetaRaw)),
    se,
    ci: langReiczigel(counts, level),
    n,
    ...(!reliable && { status: 'insufficient', reason: 'TOO_FEW_CALIBRATION' }),
    notes: inside ? [] : [OUTSIDE],
  });
  const wald = interval(thetaRaw - margin, thetaRaw + margin, level, 'wald', [0, 1]);
  return { ...stat, thetaRaw, tpr, tnr, wald };
}

const OUTSIDE =
  'judge pass rate is outside what TPR and TNR allow: labels and data do not come from the same judge or population';

/** Lower bound of TPR + TNR − 1, both rates at their own lower bound (Bonferroni). */
function youdenFloor({ tp, nPos, tn, nNeg }: JudgedCounts, level: number): number {
  const z = normalMultiplier(level);
  return wilsonEnds(tp / nPos, nPos, z).low + wilsonEnds(tn / nNeg, nNeg, z).low - 1;
}

function langReiczigel({ x, n, tp, nPos, tn, nNeg }: JudgedCounts, level: number): Interval | null {
  const z = normalMultiplier(level);
  const size = n + z * z;
  const p = (x + (z * z) / 2) / size;
  const tpr = (tp + 1) / (nPos + 2);
  const tnr = (tn + 1) / (nNeg + 2);
  const youden = tpr + tnr - 1;
  if (youden <= 1e-12) return interval(0, 1, level, 'lang-reiczigel');
  const theta = (p + tnr - 1) / youden;
  const positive = (tpr * (1 - tpr)) / (nPos + 2);
  const negative = (tnr * (1 - tnr)) / (nNeg + 2);
  const shift = 2 * z * z * (theta * positive - (1 - theta) * negative);
  const se = Math.sqrt((p * (1 - p)) / size + theta ** 2 * positive + (1 - theta) ** 2 * negative) / youden;
  const clip = (end: number) => Math.min(1, Math.max(0, end));
  return interval(clip(theta + shift - z * se), clip(theta + shift + z * se), level, 'lang-reiczigel');
}

function checked(counts: JudgedCounts, level: number): JudgedCounts {
  requireFraction(level, 'level');
  for (const [name, count] of Object.entries(counts)) requireCount(count, name);
  requireThat(counts.x <= counts.n, 'x must not exceed n');
  requireThat(counts.tp <= counts.nPos, 'tp must not exceed nPos');
  requireThat(counts.tn <= counts.nNeg, 'tn must not exceed nNeg');
  return counts;
}
