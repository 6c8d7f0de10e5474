import { finite, interval } from './estimate.ts';
import { requireCount, requireFraction, requireSameLength, requireThat } from './input.ts';
import { quantile7 } from './quantile.ts';
import { type RandomStream, randomStream } from './random.ts';
import type { Interval } from './stat.ts';
import { at } from './table.ts';

export interface JudgyOptions {
  /** Also resample the judged items, which judgy holds fixed: it then covers 92-95 % instead of 79-93 %. */
  resampleUnlabeled: boolean;
  seed: number;
  B?: number;
  level?: number;
}

export interface JudgyResult {
  theta: number | null;
  ci: Interval | null;
  /** Replicates without both classes or with a judge no better than chance. */
  skipped: number;
}

type Bits = readonly number[];

/**
 * The judgy package's corrected pass rate and percentile bootstrap, for comparison with it; labels, judge verdicts on
 * the labelled and on the unlabelled items, all 0 or 1. Use correctedPassRate or roganGladen. Source: judgy (github.com/ai-evals-course).
 */
export function judgyBootstrap(
  labels: Bits,
  preds: Bits,
  unlabeled: Bits,
  options: JudgyOptions,
): JudgyResult {
  const { B = 2000, level = 0.95 } = options;
  requireSameLength(labels, preds);
  requireCount(B, 'B', 1);
  requireFraction(level, 'level');
  requireThat(
    [labels, preds, unlabeled].every((bits) => bits.every((bit) => bit === 0 || bit === 1)),
    'labels and verdicts must be 0 or 1',
  );
  const observed = corrected(labels, preds, share(unlabeled));
  const random = randomStream(options.seed);
  const replicates: number[] = [];
  for (let b = 0; b < B; b++) {
    const items = draws(labels.length, random);
    const judged = options.resampleUnlabeled ? pick(unlabeled, draws(unlabeled.length, random)) : unlabeled;
    const theta = corrected(pick(labels, items), pick(preds, items), share(judged));
    if (theta !== null) replicates.push(theta);
  }
  const low = quantile7(replicates, (1 - level) / 2);
  const high = quantile7(replicates, (1 + level) / 2);
  const ci =
    low === null || high === null || observed === null
      ? null
      : interval(low, high, level, 'judgy percentile');
  return { theta: observed, ci, skipped: B - replicates.length };
}

function corrected(labels: Bits, preds: Bits, p: number): number | null {
  let [positives, negatives, tp, tn] = [0, 0, 0, 0];
  labels.forEach((label, item) => {
    const pred = at(preds, item);
    if (label === 1) {
      positives++;
      tp += pred;
    } else {
      negatives++;
      tn += 1 - pred;
    }
  });
  const tnr = tn / negatives;
  const youden = tp / positives + tnr - 1;
  if (!(youden > 0)) return null;
  return finite(Math.min(1, Math.max(0, (p + tnr - 1) / youden)));
}

function draws(n: number, random: RandomStream): number[] {
  return Array.from({ length: n }, () => random.index(n));
}

function pick(values: Bits, items: readonly number[]): number[] {
  return items.map((item) => at(values, item));
}

function share(bits: Bits): number {
  return bits.reduce((total, bit) => total + bit, 0) / bits.length;
}
