import { z } from 'zod';
import { calibrationAllocation } from '../../../../core/stats/calibration-allocation.ts';
import { confusionInversion } from '../../../../core/stats/confusion-inversion.ts';
import { correctedPassRate } from '../../../../core/stats/corrected-rate.ts';
import { judgyBootstrap } from '../../../../core/stats/judgy-bootstrap.ts';
import { postStratified } from '../../../../core/stats/post-stratified.ts';
import { ppiMean, ppiStratified } from '../../../../core/stats/ppi.ts';
import { roganGladen } from '../../../../core/stats/rogan-gladen.ts';
import { type Adapter, adapter, ends, none, num, nums, standing, table } from './adapter.ts';

const object = z.strictObject;
const scored = { y: nums, yhat: nums, yhatUnlabeled: nums };

/** Rates and means corrected for the judge. */
export const correctionAdapters: Record<string, Adapter> = {
  roganGladen: adapter(
    object({ x: num, n: num, tp: num, nPos: num, tn: num, nNeg: num }),
    object({ level: num.optional() }),
    (counts, { level }) => {
      const stat = roganGladen(counts, level);
      const wald = ends(stat.wald);
      const { low, high } = ends(stat.ci);
      return {
        ...standing(stat),
        theta: stat.value,
        thetaRaw: stat.thetaRaw,
        seDelta: stat.se,
        waldLow: wald.low,
        waldHigh: wald.high,
        lrLow: low,
        lrHigh: high,
      };
    },
  ),
  calibrationAllocation: adapter(object({ m: num, p: num, tnr: num, tpr: num }), none, ({ m, ...guess }) => ({
    ...calibrationAllocation(m, guess),
  })),
  judgyBootstrap: adapter(
    object({ labels: nums, preds: nums, unlabeled: nums }),
    object({ resampleUnlabeled: z.boolean(), seed: num, B: num, level: num }),
    ({ labels, preds, unlabeled }, options) => {
      const { theta, ci, skipped } = judgyBootstrap(labels, preds, unlabeled, options);
      return { theta, ...ends(ci), skipped };
    },
  ),
  correctedPassRate: adapter(
    object({
      nPass: num,
      humanPassGivenPass: num,
      nFail: num,
      humanPassGivenFail: num,
      unlabeledPass: num,
      unlabeledFail: num,
    }),
    object({ level: num }),
    (input, { level }) => {
      const pass = {
        labelled: input.nPass,
        passed: input.humanPassGivenPass,
        unlabelled: input.unlabeledPass,
      };
      const fail = {
        labelled: input.nFail,
        passed: input.humanPassGivenFail,
        unlabelled: input.unlabeledFail,
      };
      const stat = correctedPassRate([pass, fail], level);
      return { estimate: stat.value, center: stat.centre, se: stat.se, ...ends(stat.ci) };
    },
  ),
  postStratified: adapter(
    object({ y: nums, stratum: z.array(z.string()), N: z.record(z.string(), num) }),
    none,
    ({ y, stratum, N }) => {
      const stat = postStratified(y, stratum, new Map(Object.entries(N)));
      return { mean: stat.value, seNoFpc: stat.se, seFpc: stat.seFpc };
    },
  ),
  ppiMean: adapter(object(scored), object({ level: num, lambda: num.optional() }), (data, options) => {
    const { value, se, ci, lambda } = ppiMean(data, options);
    return { theta: value, se, lambda, ...ends(ci) };
  }),
  ppiStratified: adapter(
    object({ strata: z.array(object({ ...scored, weight: num })) }),
    object({ level: num }),
    ({ strata }, options) => {
      const { value, se, ci } = ppiStratified(strata, options);
      return { theta: value, se, ...ends(ci) };
    },
  ),
  confusionInversion: adapter(
    object({ judgeGivenHuman: table, judgeShares: nums }),
    object({ scores: nums.optional() }),
    ({ judgeGivenHuman, judgeShares }, { scores }) => ({
      ...confusionInversion(judgeGivenHuman, judgeShares, scores === undefined ? {} : { scores }),
    }),
  ),
};
