import { correctedPassRate } from '../../core/stats/corrected-rate.ts';
import { ppiMean } from '../../core/stats/ppi.ts';
import type { RandomStream } from '../../core/stats/random.ts';
import type { Interval } from '../../core/stats/stat.ts';
import { count } from './draw.ts';

/** A judge of TPR .9 and TNR .8 on items that truly pass at .8: where the three estimators were compared. */
export const DESIGN = { rate: 0.8, tpr: 0.9, tnr: 0.8, labels: 100 };

/** Labelled items by the human's verdict and the judge's. */
export interface Labelled {
  pass: { judgedPass: number; judgedFail: number };
  fail: { judgedPass: number; judgedFail: number };
}

/** 100 labelled items: a random sample, or half passes and half failures from elsewhere. */
export function labelled(kind: 'random' | 'enriched', random: RandomStream): Labelled {
  const { rate, tpr, tnr, labels } = DESIGN;
  const positives = kind === 'random' ? count(rate, labels, random) : labels / 2;
  const hits = count(tpr, positives, random);
  const rejections = count(tnr, labels - positives, random);
  return {
    pass: { judgedPass: hits, judgedFail: positives - hits },
    fail: { judgedPass: labels - positives - rejections, judgedFail: rejections },
  };
}

/** Verdicts on n items without a label. */
export function judged(random: RandomStream, n: number): { pass: number; fail: number } {
  const { rate, tpr, tnr } = DESIGN;
  const pass = count(rate * tpr + (1 - rate) * (1 - tnr), n, random);
  return { pass, fail: n - pass };
}

/** The corrected pass rate's interval. */
export function correctedInterval(
  { pass, fail }: Labelled,
  rest: { pass: number; fail: number },
): Interval | null {
  return correctedPassRate([
    { labelled: pass.judgedPass + fail.judgedPass, passed: pass.judgedPass, unlabelled: rest.pass },
    { labelled: pass.judgedFail + fail.judgedFail, passed: pass.judgedFail, unlabelled: rest.fail },
  ]).ci;
}

/** PPI's interval of the same data; without lambda PPI++. */
export function unlabelledPpi(
  { pass, fail }: Labelled,
  rest: { pass: number; fail: number },
  lambda?: number,
): Interval | null {
  const repeat = (value: number, times: number) => Array.from({ length: times }, () => value);
  const sizes = [pass.judgedPass, pass.judgedFail, fail.judgedPass, fail.judgedFail];
  return ppiMean(
    {
      y: sizes.flatMap((size, cell) => repeat(cell < 2 ? 1 : 0, size)),
      yhat: sizes.flatMap((size, cell) => repeat(cell % 2 === 0 ? 1 : 0, size)),
      yhatUnlabeled: [...repeat(1, rest.pass), ...repeat(0, rest.fail)],
    },
    { lambda, range: [0, 1] },
  ).ci;
}
