import { requireFraction, requireReal } from './input.ts';
import type { Reason, Stat } from './stat.ts';
import { at } from './table.ts';

export interface ConformalQuantile {
  /** Keep levels with a nonconformity of at most this; null: keep all, the judge abstains. */
  quantile: number | null;
  n: number;
  status: Stat['status'];
  reason?: Reason;
}

/**
 * The split-conformal quantile of calibration scores: the r-th smallest, r = ⌈(n + 1)(1 − α)⌉. Sets of levels whose
 * nonconformity is at most this hold the human label with probability 1 − α or more, on average over items and only while
 * they are exchangeable with the calibration items. A set of one level may be decided by the judge. Below ⌈1/α⌉ − 1
 * scores: insufficient, TOO_FEW_CALIBRATION. Source: Vovk, Gammerman & Shafer 2005.
 */
export function conformalQuantile(scores: readonly number[], alpha: number): ConformalQuantile {
  requireFraction(alpha, 'alpha');
  requireReal(scores, 'scores');
  const n = scores.length;
  const rank = Math.ceil((n + 1) * (1 - alpha) - 1e-9);
  if (n === 0 || rank > n)
    return { quantile: null, n, status: 'insufficient', reason: 'TOO_FEW_CALIBRATION' };
  const sorted = [...scores].sort((x, y) => x - y);
  return { quantile: at(sorted, Math.max(1, rank) - 1), n, status: 'ok' };
}

/** The levels that a conformal set keeps; all of them where the quantile is null. */
export function conformalSet<L>(nonconformity: ReadonlyMap<L, number>, quantile: number | null): L[] {
  return [...nonconformity]
    .filter(([, score]) => quantile === null || score <= quantile)
    .map(([level]) => level);
}
