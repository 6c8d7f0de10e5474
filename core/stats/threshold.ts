import { normalQuantile } from './distribution.ts';
import { requireFraction, requireReal, requireSameLength, requireThat } from './input.ts';
import { at } from './table.ts';
import { wilsonEnds } from './wilson.ts';

export interface KappaThreshold {
  /** Pass where the score is at least this; null without scores of both labels. */
  threshold: number | null;
  kappa: number | null;
}

/**
 * The pass mark on a judge's scores with the largest unweighted κ against human labels (0 or 1); the smallest of ties.
 * Optimistic: chosen and measured on the same items. Report crossValidatedKappa's figure beside it. O(n log n).
 */
export function thresholdMaxKappa(scores: readonly number[], y: readonly number[]): KappaThreshold {
  let best: KappaThreshold = { threshold: null, kappa: null };
  for (const { threshold, passed, hits, n, positives } of passMarks(scores, y)) {
    const kappa = kappaOfCounts(hits, passed, positives, n);
    if (kappa === null) continue;
    if (best.kappa === null || kappa > best.kappa + 1e-12) best = { threshold, kappa };
    else if (kappa >= best.kappa - 1e-12) best = { threshold, kappa: best.kappa };
  }
  return best;
}

export interface PrecisionThreshold {
  threshold: number | null;
  precision: number | null;
  selected: number;
  /** One-sided lower bound of the precision. */
  lower: number | null;
}

/**
 * The smallest pass mark whose precision is at least `target` with confidence: its one-sided Wilson lower bound at
 * `level`. Null where none is. Optimistic as thresholdMaxKappa is. O(n log n).
 */
export function thresholdTargetPrecision(
  scores: readonly number[],
  y: readonly number[],
  { target, level = 0.95 }: { target: number; level?: number },
): PrecisionThreshold {
  requireFraction(target, 'target');
  requireFraction(level, 'level');
  const z = normalQuantile(level);
  let best: PrecisionThreshold = { threshold: null, precision: null, selected: 0, lower: null };
  for (const { threshold, passed, hits } of passMarks(scores, y)) {
    const precision = hits / passed;
    const { low } = wilsonEnds(precision, passed, Math.max(0, z));
    if (low >= target) best = { threshold, precision, selected: passed, lower: low };
  }
  return best;
}

/**
 * κ of a pass mark chosen by thresholdMaxKappa on nine folds and applied to the tenth, all verdicts pooled; `folds` gives
 * each item's fold (from a hash of its id, so that it never changes). The figure that an exported judge carries.
 */
export function crossValidatedKappa(
  scores: readonly number[],
  y: readonly number[],
  folds: readonly number[],
): { kappa: number | null; n: number } {
  const { passes, kept } = crossValidated(
    scores,
    y,
    folds,
    (train, labels) => thresholdMaxKappa(train, labels).threshold,
  );
  const positives = kept.filter((item) => at(y, item) === 1).length;
  const hits = kept.filter((item) => passes.get(item) === true && at(y, item) === 1).length;
  const passed = kept.filter((item) => passes.get(item) === true).length;
  return {
    kappa: kept.length === 0 ? null : kappaOfCounts(hits, passed, positives, kept.length),
    n: kept.length,
  };
}

/** Precision of thresholdTargetPrecision's pass mark by the same folds; null where nothing passes. */
export function crossValidatedPrecision(
  scores: readonly number[],
  y: readonly number[],
  folds: readonly number[],
  options: { target: number; level?: number },
): { precision: number | null; selected: number } {
  const choose = (train: readonly number[], labels: readonly number[]) =>
    thresholdTargetPrecision(train, labels, options).threshold;
  const { passes, kept } = crossValidated(scores, y, folds, choose);
  const selected = kept.filter((item) => passes.get(item) === true);
  const hits = selected.filter((item) => at(y, item) === 1).length;
  return { precision: selected.length === 0 ? null : hits / selected.length, selected: selected.length };
}

interface PassMark {
  threshold: number;
  /** Items at or above it, and how many of them humans passed. */
  passed: number;
  hits: number;
  n: number;
  positives: number;
}

/** Every distinct score as a pass mark, highest first, with running counts. */
function passMarks(scores: readonly number[], y: readonly number[]): PassMark[] {
  requireSameLength(scores, y);
  requireReal(scores, 'scores');
  requireThat(
    y.every((label) => label === 0 || label === 1),
    'labels must be 0 or 1',
  );
  const n = scores.length;
  const positives = y.filter((label) => label === 1).length;
  const order = scores.map((_, item) => item).sort((i, j) => at(scores, j) - at(scores, i));
  const marks: PassMark[] = [];
  let hits = 0;
  order.forEach((item, index) => {
    hits += at(y, item);
    const threshold = at(scores, item);
    const next = order[index + 1];
    if (next === undefined || at(scores, next) !== threshold) {
      marks.push({ threshold, passed: index + 1, hits, n, positives });
    }
  });
  return marks;
}

/** κ of a 2 × 2 table given by its margins and joint passes; 0 with one constant rater, null with two. */
function kappaOfCounts(hits: number, passed: number, positives: number, n: number): number | null {
  const po = (n - passed - positives + 2 * hits) / n;
  const pe = (passed * positives + (n - passed) * (n - positives)) / (n * n);
  if (1 - pe < 1e-12) return null;
  return passed === n || passed === 0 || positives === n || positives === 0 ? 0 : (po - pe) / (1 - pe);
}

function crossValidated(
  scores: readonly number[],
  y: readonly number[],
  folds: readonly number[],
  choose: (scores: readonly number[], y: readonly number[]) => number | null,
): { passes: Map<number, boolean>; kept: number[] } {
  requireSameLength(scores, folds);
  requireSameLength(scores, y);
  const passes = new Map<number, boolean>();
  for (const fold of new Set(folds)) {
    const outside = scores.flatMap((_, item) => (folds[item] === fold ? [] : [item]));
    const threshold = choose(
      outside.map((item) => at(scores, item)),
      outside.map((item) => at(y, item)),
    );
    if (threshold === null) continue;
    scores.forEach((score, item) => {
      if (folds[item] === fold) passes.set(item, score >= threshold);
    });
  }
  return { passes, kept: [...passes.keys()] };
}
