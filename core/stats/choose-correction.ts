import { requireCount } from './input.ts';

/** How the labelled items were chosen; recorded when they were. */
export type LabelDesign =
  /** A random sample of the judged items. */
  | 'random'
  /** A random sample within each verdict (or stratum). */
  | 'random-within-verdict'
  /** From elsewhere: enriched with failures, an older version, another suite. */
  | 'elsewhere'
  /** With known unequal probabilities. */
  | 'weighted'
  | 'unknown';

export type Correction =
  | 'corrected-rate'
  | 'ppi'
  | 'post-stratified'
  | 'rogan-gladen'
  | 'confusion-inversion'
  | 'weighted-mean'
  | 'labels-only';

export interface CorrectionChoice {
  /** Null: no correction is honest; show the judge's own rate as such. */
  correction: Correction | null;
  /** The design's own method could not be used. */
  fallback: boolean;
  why: string;
}

export interface LabelledCounts {
  /** Labelled items by verdict of the judge, or by level for scores. */
  byVerdict: readonly number[];
  /** Labelled items by human level. */
  byHuman: readonly number[];
}

/** Fewer labels of a kind than this measure no rate of the judge. */
const FEW = 10;

/**
 * Which estimator of the true rate fits the way labels were drawn: by design, not by taste. `scale` is 'rate' for pass
 * or fail, 'score' for ordered levels. With too few failures (or of any level) where the method divides by them, it
 * falls back to what the design still allows, or to none.
 */
export function chooseCorrection(
  design: LabelDesign,
  scale: 'rate' | 'score',
  { byVerdict, byHuman }: LabelledCounts,
): CorrectionChoice {
  for (const count of [...byVerdict, ...byHuman]) requireCount(count, 'a count');
  const labels = byVerdict.reduce((total, count) => total + count, 0);
  if (labels === 0) return refused('no labels');
  switch (design) {
    case 'unknown':
      return refused('how labels were chosen is not recorded');
    case 'weighted':
      return chosen('weighted-mean', 'inclusion probabilities are known');
    case 'elsewhere':
      return fromElsewhere(scale, byHuman);
    case 'random-within-verdict':
      return byVerdict.some((count) => count === 0)
        ? refused('a verdict has no label, and labels were drawn by verdict')
        : chosen(scale === 'rate' ? 'corrected-rate' : 'post-stratified', 'labels are random within verdict');
    case 'random':
      return fromRandom(scale, byVerdict, labels);
  }
}

function fromRandom(scale: 'rate' | 'score', byVerdict: readonly number[], labels: number): CorrectionChoice {
  if (scale === 'score') {
    return labels < 20
      ? fallback('labels-only', 'fewer than 20 labels')
      : chosen('ppi', 'labels are a random sample of the judged items');
  }
  return byVerdict.some((count) => count === 0)
    ? fallback('labels-only', 'a verdict has no label')
    : chosen('corrected-rate', 'labels are a random sample of the judged items');
}

function fromElsewhere(scale: 'rate' | 'score', byHuman: readonly number[]): CorrectionChoice {
  const least = Math.min(...byHuman);
  if (least >= FEW) {
    return chosen(scale === 'rate' ? 'rogan-gladen' : 'confusion-inversion', 'labels come from elsewhere');
  }
  return refused(`only ${least} labels of a human level: the judge's error rate on it is not known`);
}

function chosen(correction: Correction, why: string): CorrectionChoice {
  return { correction, fallback: false, why };
}

function fallback(correction: Correction, why: string): CorrectionChoice {
  return { correction, fallback: true, why };
}

function refused(why: string): CorrectionChoice {
  return { correction: null, fallback: true, why };
}
