import { requireCount, requireProbability, requireSameLength, requireThat } from './input.ts';
import { mean } from './moments.ts';
import { randomStream } from './random.ts';
import { at } from './table.ts';
import { midRanks } from './wilcoxon.ts';

export interface CalibrationMetrics {
  n: number;
  /** Mean squared error and mean log loss of the probabilities. */
  brier: number | null;
  logLoss: number | null;
  /** Expected and largest calibration error over bins of equal width. */
  ece: number | null;
  mce: number | null;
  /** Expected calibration error over groups of nearly equal size. */
  eceMass: number | null;
  /** P(a passed item scores above a failed one), ties half; null without both. */
  auc: number | null;
}

/**
 * How far probabilities p of passing agree with labels y (0 or 1). Expected calibration error is biased upward in small
 * samples: show it against eceZeroLine. Null without items. Source: Brier 1950; Naeini et al. 2015; Hanley & McNeil 1982.
 */
export function calibrationMetrics(
  p: readonly number[],
  y: readonly number[],
  { bins = 10, massBins = 5 }: { bins?: number; massBins?: number } = {},
): CalibrationMetrics {
  requireScores(p, y);
  requireCount(bins, 'bins', 1);
  requireCount(massBins, 'massBins', 1);
  const n = p.length;
  if (n === 0) return { n, brier: null, logLoss: null, ece: null, mce: null, eceMass: null, auc: null };
  const width = byWidth(p, bins);
  return {
    n,
    brier: mean(p.map((value, item) => (value - at(y, item)) ** 2)),
    logLoss: mean(p.map((value, item) => loss(value, at(y, item)))),
    ece: expectedError(width, p, y),
    mce: Math.max(...width.map((group) => gap(group, p, y))),
    eceMass: expectedError(byMass(p, massBins), p, y),
    auc: areaUnderCurve(p, y),
  };
}

/** Mean expected calibration error of `draws` simulated label sets for which p is exactly right: what 0 looks like at this n. */
export function eceZeroLine(
  p: readonly number[],
  options: { seed: number; bins?: number; draws?: number },
): number | null {
  const { seed, bins = 10, draws = 200 } = options;
  for (const value of p) requireProbability(value, 'p');
  requireCount(draws, 'draws', 1);
  if (p.length === 0) return null;
  const random = randomStream(seed);
  const groups = byWidth(p, bins);
  return mean(
    Array.from({ length: draws }, () => {
      const y = p.map((value) => (random.uniform() < value ? 1 : 0));
      return expectedError(groups, p, y);
    }),
  );
}

/** Area under the ROC curve by mid-ranks; null unless both labels occur. Cost O(n log n). */
export function areaUnderCurve(p: readonly number[], y: readonly number[]): number | null {
  requireScores(p, y);
  const positives = y.filter((label) => label === 1).length;
  const negatives = y.length - positives;
  if (positives === 0 || negatives === 0) return null;
  const ranks = midRanks(p);
  const rankSum = ranks.reduce((total, rank, item) => total + (at(y, item) === 1 ? rank : 0), 0);
  return (rankSum - (positives * (positives + 1)) / 2) / (positives * negatives);
}

function loss(p: number, y: number): number {
  const clipped = Math.min(1 - 1e-15, Math.max(1e-15, p));
  return -(y * Math.log(clipped) + (1 - y) * Math.log1p(-clipped));
}

/** Items by bin [0, 1/B), …, [1 − 1/B, 1]; empty bins left out. */
function byWidth(p: readonly number[], bins: number): number[][] {
  const groups: number[][] = Array.from({ length: bins }, () => []);
  p.forEach((value, item) => {
    groups[Math.min(Math.floor(value * bins), bins - 1)]?.push(item);
  });
  return groups.filter((group) => group.length > 0);
}

/** Items in order of p in groups whose sizes differ by at most one, larger ones first. */
function byMass(p: readonly number[], groups: number): number[][] {
  const order = p.map((_, item) => item).sort((i, j) => at(p, i) - at(p, j) || i - j);
  const [size, extra] = [Math.floor(order.length / groups), order.length % groups];
  let start = 0;
  return Array.from({ length: groups }, (_, group) => {
    const end = start + size + (group < extra ? 1 : 0);
    const items = order.slice(start, end);
    start = end;
    return items;
  }).filter((items) => items.length > 0);
}

function expectedError(groups: readonly number[][], p: readonly number[], y: readonly number[]): number {
  return groups.reduce((total, group) => total + (group.length / p.length) * gap(group, p, y), 0);
}

function gap(group: readonly number[], p: readonly number[], y: readonly number[]): number {
  return Math.abs(mean(group.map((item) => at(p, item))) - mean(group.map((item) => at(y, item))));
}

function requireScores(p: readonly number[], y: readonly number[]): void {
  requireSameLength(p, y);
  for (const value of p) requireProbability(value, 'p');
  requireThat(
    y.every((label) => label === 0 || label === 1),
    'labels must be 0 or 1',
  );
}
