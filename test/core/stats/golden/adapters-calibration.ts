import { z } from 'zod';
import { activeMean } from '../../../../core/stats/active-mean.ts';
import { calibrationMetrics } from '../../../../core/stats/calibration-metrics.ts';
import { conformalQuantile } from '../../../../core/stats/conformal.ts';
import { hajekMean } from '../../../../core/stats/hajek.ts';
import { isotonic, isotonicPredict } from '../../../../core/stats/isotonic.ts';
import { dependentKappaDifference } from '../../../../core/stats/kappa-difference.ts';
import { itemsForKappaHalfWidth, itemsForKappaTest } from '../../../../core/stats/label-plan.ts';
import { platt } from '../../../../core/stats/platt.ts';
import { selectiveThreshold } from '../../../../core/stats/selective-threshold.ts';
import { thresholdMaxKappa, thresholdTargetPrecision } from '../../../../core/stats/threshold.ts';
import { weightedSampleKappa } from '../../../../core/stats/weighted-kappa.ts';
import { type Adapter, adapter, bit, category, ends, label, none, num, nums, weights } from './adapter.ts';

const object = z.strictObject;
const labels = z.array(label);
const rates = { passRate1: num, passRate2: num };

/** Score calibration and label planning. */
export const calibrationAdapters: Record<string, Adapter> = {
  isotonic: adapter(
    object({ x: nums, y: nums, w: nums, query: nums }),
    object({ interpolate: z.literal('linear').optional(), outOfBounds: z.literal('clip').optional() }),
    ({ x, y, w, query }) => {
      const map = isotonic(x, y, w);
      return { fitted: map.fitted, predicted: isotonicPredict(map, query) };
    },
  ),
  platt: adapter(object({ score: nums, y: nums }), none, ({ score, y }) => ({ ...platt(score, y) })),
  calibrationMetrics: adapter(
    object({ p: nums, y: nums }),
    object({ bins: z.literal(10), massBins: z.literal(5) }),
    ({ p, y }, options) => {
      const { ece, mce, eceMass, ...rest } = calibrationMetrics(p, y, options);
      return { ...rest, ece10: ece, mce10: mce, eceMass5: eceMass };
    },
  ),
  thresholdMaxKappa: adapter(object({ p: nums, y: nums }), none, ({ p, y }) => ({
    ...thresholdMaxKappa(p, y),
  })),
  thresholdTargetPrecision: adapter(
    object({ p: nums, y: nums }),
    object({ target: num, level: num, sided: z.literal(1) }),
    ({ p, y }, { target, level }) => ({ ...thresholdTargetPrecision(p, y, { target, level }) }),
  ),
  conformalQuantile: adapter(
    object({ scores: nums }),
    z.union([
      object({ alpha: num }),
      object({ alphas: z.tuple([z.literal(0.1), z.literal(0.05), z.literal(0.04)]) }),
    ]),
    ({ scores }, options) => {
      if ('alpha' in options) return { ...conformalQuantile(scores, options.alpha) };
      const [q10, q05, q04] = options.alphas.map((alpha) => conformalQuantile(scores, alpha).quantile);
      return { q10, q05, q04 };
    },
  ),
  selectiveThreshold: adapter(
    object({ confidence: nums, correct: nums }),
    object({ alpha: num, delta: num, grid: nums }),
    ({ confidence, correct }, options) => ({ ...selectiveThreshold(confidence, correct, options) }),
  ),
  itemsForKappaTest: adapter(
    object({ kappa1: num, kappa0: num, ...rates, alpha: num, power: num, sided: z.literal(2) }),
    none,
    ({ alpha, power, sided, ...input }) => ({ ...itemsForKappaTest(input, { alpha, power, sided }) }),
  ),
  itemsForKappaHalfWidth: adapter(
    object({ kappa: num, ...rates, halfWidth: num, level: num }),
    none,
    ({ halfWidth, level, ...input }) => ({ ...itemsForKappaHalfWidth(input, { halfWidth, level }) }),
  ),
  dependentKappaDifference: adapter(
    object({ human: labels, judge1: labels, judge2: labels }),
    object({ weights, categories: z.array(category) }),
    ({ human, judge1, judge2 }, options) => {
      const { value, seLarge, pLarge, ...rest } = dependentKappaDifference(human, judge1, judge2, options);
      return { ...rest, diff: value, seDiff: seLarge, p: pLarge };
    },
  ),
  weightedSampleKappa: adapter(object({ human: labels, judge: labels, weights: nums }), none, (input) => {
    const { value, se, seSurvey } = weightedSampleKappa(input.human, input.judge, input.weights);
    return { kappa: value, se, seSurvey };
  }),
  hajekMean: adapter(object({ y: nums, pi: nums }), none, ({ y, pi }) => {
    const { value, se, kishN } = hajekMean(y, pi);
    return { mean: value, se, kishN };
  }),
  activeMean: adapter(
    object({ f: nums, pi: nums, sampled: z.array(bit), y: z.array(num.nullable()) }),
    object({ level: num }),
    (sample, options) => {
      const { value, se, ci } = activeMean(sample, options);
      return { theta: value, se, ...ends(ci) };
    },
  ),
};
