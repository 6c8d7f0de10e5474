import { requireReal, requireSameLength, requireThat } from './input.ts';
import { logisticRegression } from './logistic.ts';
import { logistic } from './logistic-fit.ts';
import type { Reason, Stat } from './stat.ts';

export interface PlattMap {
  slope: number | null;
  intercept: number | null;
  status: Stat['status'];
  reason?: Reason;
}

/**
 * Platt scaling: P(human passes | judge score) = σ(slope · score + intercept), fitted to smoothed targets
 * (N₊ + 1)/(N₊ + 2) and 1/(N₋ + 2). For few labels; from 50 on isotonic assumes less. One class only: insufficient,
 * NO_POSITIVE_LABELS or NO_NEGATIVE_LABELS. Source: Platt 1999; Lin, Lin & Weng 2007.
 */
export function platt(scores: readonly number[], y: readonly number[]): PlattMap {
  requireSameLength(scores, y);
  requireReal(scores, 'scores');
  requireThat(
    y.every((label) => label === 0 || label === 1),
    'labels must be 0 or 1',
  );
  const positives = y.filter((label) => label === 1).length;
  const negatives = y.length - positives;
  const none = { slope: null, intercept: null };
  if (positives === 0) return { ...none, status: 'insufficient', reason: 'NO_POSITIVE_LABELS' };
  if (negatives === 0) return { ...none, status: 'insufficient', reason: 'NO_NEGATIVE_LABELS' };
  const targets = y.map((label) => (label === 1 ? (positives + 1) / (positives + 2) : 1 / (negatives + 2)));
  const fit = logisticRegression(
    targets,
    scores.map((score) => [score]),
  );
  if (fit.coef === null) return { ...none, status: 'undefined', reason: fit.reason ?? 'NOT_CONVERGED' };
  const [intercept = 0, slope = 0] = fit.coef;
  return { slope, intercept, status: 'ok' };
}

/** The calibrated probability of a score; null where the map does not exist. */
export function plattPredict({ slope, intercept }: PlattMap, score: number): number | null {
  requireReal([score], 'score');
  return slope === null || intercept === null ? null : logistic(slope * score + intercept);
}
