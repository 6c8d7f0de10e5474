import { z } from 'zod';
import { krippendorffAlpha } from '../../../../core/stats/alpha.ts';
import { altTest } from '../../../../core/stats/alt-test.ts';
import { brennanPrediger, byrtIndices, gwetAC, scottPi } from '../../../../core/stats/chance.ts';
import { confusionMetrics } from '../../../../core/stats/confusion.ts';
import { contingencyTable } from '../../../../core/stats/contingency.ts';
import { fleissKappa } from '../../../../core/stats/fleiss.ts';
import { brennanPredigerMulti, gwetACMulti } from '../../../../core/stats/gwet.ts';
import { humanCeiling } from '../../../../core/stats/human-ceiling.ts';
import { type IccStat, icc } from '../../../../core/stats/icc.ts';
import { cohenKappa, kappaMax, smoothedKappa } from '../../../../core/stats/kappa.ts';
import { wilsonPo } from '../../../../core/stats/kappa-interval.ts';
import { percentAgreement } from '../../../../core/stats/percent.ts';
import { rankCorrelation } from '../../../../core/stats/rank.ts';
import { chanceAgreement, tableShares } from '../../../../core/stats/table.ts';
import {
  type Adapter,
  adapter,
  category,
  ends,
  label,
  none,
  num,
  nums,
  type Outcome,
  ratings,
  standing,
  table,
  weights,
} from './adapter.ts';

const object = z.strictObject;
const labels = z.array(label);
const kappaInput = z.union([object({ table }), object({ a: labels, b: labels })]);
const kappaOptions = object({ weights: weights.optional(), categories: z.array(category).optional() });

/** Agreement of raters. */
export const agreementAdapters: Record<string, Adapter> = {
  percentAgreement: adapter(object({ a: labels, b: labels }), none, ({ a, b }) => {
    const stat = percentAgreement(a, b);
    const { low, high } = ends(stat.ci);
    return { ...standing(stat), value: stat.value, ciLow: low, ciHigh: high };
  }),
  cohenKappa: adapter(kappaInput, kappaOptions, (input, options) => {
    const counted =
      'table' in input
        ? { table: input.table, nMissing: 0 }
        : contingencyTable(input.a, input.b, options.categories);
    const chosen = options.weights === undefined ? {} : { weights: options.weights };
    const kappa = cohenKappa(counted.table, { ...chosen, nMissing: counted.nMissing });
    const ac = gwetAC(counted.table, chosen);
    const { po, pe, se, se0 } = kappa;
    return { ...standing(kappa), kappa: kappa.value, po, pe, se, se0, ac: ac.value };
  }),
  chanceCorrected: adapter(object({ table }), object({ weights }), (input, options) => {
    const scott = scottPi(input.table, options);
    const ac = gwetAC(input.table, options);
    const bp = brennanPrediger(input.table, options);
    return { scottPi: scott.value, scottSe: scott.se, ac: ac.value, acSe: ac.se, bp: bp.value, bpSe: bp.se };
  }),
  kappaMax: adapter(object({ table }), none, (input) => ({ ...kappaMax(input.table) })),
  byrtIndices: adapter(object({ table }), none, (input) => ({
    ...byrtIndices(input.table),
    kappa: cohenKappa(input.table).value,
  })),
  kappaPoMappedWilson: adapter(object({ table }), object({ level: num }), (input, { level }) =>
    ends(poInterval(input.table, {}, level)),
  ),
  kappaInterval: adapter(object({ table }), object({ weights, level: num }), (input, options) => {
    const mapped = ends(poInterval(input.table, options, options.level));
    const smooth = smoothedKappa(input.table, options);
    const { low, high } = ends(smooth.ci);
    return {
      wilsonPoLow: mapped.low,
      wilsonPoHigh: mapped.high,
      smoothedKappa: smooth.value,
      smoothedLow: low,
      smoothedHigh: high,
    };
  }),
  fleissKappa: adapter(object({ ratings }), none, (input): Outcome => {
    const { value, se, po, pe, seNull } = fleissKappa(input.ratings);
    return { kappa: value, se, po, pe, seNull };
  }),
  gwetAC: adapter(
    object({ ratings }),
    object({ categories: z.array(category).optional() }),
    (input, options) => {
      const { value, se, po, pe } = gwetACMulti(input.ratings, options);
      return { ac: value, se, po, pe };
    },
  ),
  brennanPredigerMulti: adapter(object({ ratings }), object({ categories: num }), (input, options) => {
    const categories = Array.from({ length: options.categories }, (_, index) => index + 1);
    return { value: brennanPredigerMulti(input.ratings, { categories }).value };
  }),
  krippendorffAlpha: adapter(
    object({ ratings }),
    object({ level: z.enum(['nominal', 'ordinal', 'interval', 'ratio']) }),
    (input, { level }) => {
      const stat = krippendorffAlpha(input.ratings, level);
      return { ...standing(stat), alpha: stat.value };
    },
  ),
  icc: adapter(object({ ratings: table }), object({ level: num.optional() }), (input, { level }): Outcome => {
    const forms = Object.entries(icc(input.ratings, level));
    const [, first] = forms[0] ?? [];
    return Object.assign(
      { ...(first && standing(first)) },
      ...forms.map(([name, stat]) => iccKeys(name, stat)),
    );
  }),
  altTest: adapter(
    object({ humans: z.array(labels), judge: labels }),
    object({ epsilon: num, q: num, minItems: num, score: z.enum(['accuracy', 'rmse']) }),
    ({ humans, judge }, options) => {
      const result = altTest(humans, judge, options);
      return { ...result, pValues: result.humans.map(({ p }) => p) };
    },
  ),
  humanCeiling: adapter(object({ humans: z.array(labels), judge: labels }), none, ({ humans, judge }) => ({
    ...humanCeiling(humans, judge),
  })),
  rankCorrelation: adapter(object({ x: nums, y: nums }), none, ({ x, y }) => {
    const { rho, tauB, pearson } = rankCorrelation(x, y);
    const rhoEnds = ends(rho.ci);
    const pearsonEnds = ends(pearson.ci);
    return {
      ...standing(rho),
      rho: rho.value,
      rhoLow: rhoEnds.low,
      rhoHigh: rhoEnds.high,
      tauB: tauB.value,
      tauP: tauB.p,
      pearson: pearson.value,
      pearsonLow: pearsonEnds.low,
      pearsonHigh: pearsonEnds.high,
      pearsonP: pearson.p,
    };
  }),
  confusionMetrics: adapter(object({ table }), none, (input) => {
    const { accuracy, classes, ...rest } = confusionMetrics(input.table);
    return {
      ...rest,
      accuracy: accuracy.value,
      precision: classes.map(({ precision }) => precision.value),
      recall: classes.map(({ recall }) => recall.value),
      f1: classes.map(({ f1 }) => f1),
      support: classes.map(({ support }) => support),
    };
  }),
};

function poInterval(cells: number[][], options: { weights?: z.infer<typeof weights> }, level: number) {
  const shares = tableShares(cells, options);
  return shares === null ? null : wilsonPo(shares, chanceAgreement(shares), level);
}

function iccKeys(name: string, stat: IccStat): Outcome {
  const { low, high } = ends(stat.ci);
  return {
    [name]: stat.value,
    [`${name}Low`]: low,
    [`${name}High`]: high,
    [`${name}F`]: stat.f,
    [`${name}P`]: stat.p,
  };
}
