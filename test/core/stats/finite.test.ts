import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { activeMean } from '../../../core/stats/active-mean.ts';
import { adjustP } from '../../../core/stats/adjust-p.ts';
import { type AlphaLevel, krippendorffAlpha } from '../../../core/stats/alpha.ts';
import { alphaInterval } from '../../../core/stats/alpha-interval.ts';
import { altTest } from '../../../core/stats/alt-test.ts';
import { biasFlags, biasMeasure } from '../../../core/stats/bias-flag.ts';
import { binomialTest } from '../../../core/stats/binomial-test.ts';
import { calibrationAllocation } from '../../../core/stats/calibration-allocation.ts';
import { calibrationMetrics, eceZeroLine } from '../../../core/stats/calibration-metrics.ts';
import { centralTendency } from '../../../core/stats/central-tendency.ts';
import { brennanPrediger, byrtIndices, gwetAC, scottPi } from '../../../core/stats/chance.ts';
import { chooseCorrection } from '../../../core/stats/choose-correction.ts';
import { clusterSE } from '../../../core/stats/cluster-se.ts';
import { clusteredKappa } from '../../../core/stats/clustered-kappa.ts';
import { conformalQuantile } from '../../../core/stats/conformal.ts';
import { confusionMetrics, sensitivity, specificity } from '../../../core/stats/confusion.ts';
import { confusionInversion } from '../../../core/stats/confusion-inversion.ts';
import { contingencyTable } from '../../../core/stats/contingency.ts';
import { correctedPassRate } from '../../../core/stats/corrected-rate.ts';
import { confidenceSequence, driftMonitor } from '../../../core/stats/drift-monitor.ts';
import { flakyTasks } from '../../../core/stats/flaky-tasks.ts';
import { fleissKappa } from '../../../core/stats/fleiss.ts';
import { brennanPredigerMulti, gwetACMulti } from '../../../core/stats/gwet.ts';
import { hajekMean } from '../../../core/stats/hajek.ts';
import { hardRule } from '../../../core/stats/hard-rule.ts';
import { ceilingInterval, humanCeiling } from '../../../core/stats/human-ceiling.ts';
import { icc } from '../../../core/stats/icc.ts';
import { inversionInterval } from '../../../core/stats/inversion-interval.ts';
import { isotonic, isotonicPredict } from '../../../core/stats/isotonic.ts';
import { judgyBootstrap } from '../../../core/stats/judgy-bootstrap.ts';
import { cohenKappa, kappaMax, smoothedKappa } from '../../../core/stats/kappa.ts';
import { kappaBootstrap } from '../../../core/stats/kappa-bootstrap.ts';
import { dependentKappaDifference, itemsForKappaDifference } from '../../../core/stats/kappa-difference.ts';
import {
  itemsForKappaHalfWidth,
  itemsForKappaTest,
  itemsForWeightedHalfWidth,
} from '../../../core/stats/label-plan.ts';
import { leniency } from '../../../core/stats/leniency.ts';
import { logisticRegression } from '../../../core/stats/logistic.ts';
import { bonettPrice, mcnemar, pairedDifference } from '../../../core/stats/mcnemar.ts';
import { aucBootstrap, confusionBootstrap, ratingsBootstrap } from '../../../core/stats/measure-bootstrap.ts';
import { holmGates, nonInferiorityGate } from '../../../core/stats/non-inferiority.ts';
import { newcombePaired, tangoPaired } from '../../../core/stats/paired-interval.ts';
import { pairedTask } from '../../../core/stats/paired-task.ts';
import { kappaParadox } from '../../../core/stats/paradox.ts';
import { levelColumns, partialCorrelation } from '../../../core/stats/partial-correlation.ts';
import { passAtK, passHatK } from '../../../core/stats/pass-k.ts';
import { percentAgreement } from '../../../core/stats/percent.ts';
import { platt } from '../../../core/stats/platt.ts';
import {
  orderConflict,
  positionBias,
  positionChiSquare,
  preferenceFairness,
} from '../../../core/stats/position.ts';
import { postStratified } from '../../../core/stats/post-stratified.ts';
import {
  differenceBetweenTasks,
  minimumDetectableEffect,
  pairsForMcNemar,
  tasksForDelta,
} from '../../../core/stats/power.ts';
import { ppiMean, ppiStratified } from '../../../core/stats/ppi.ts';
import { proportionDifference } from '../../../core/stats/proportion-difference.ts';
import { quantile7 } from '../../../core/stats/quantile.ts';
import { rankCorrelation } from '../../../core/stats/rank.ts';
import { ratioGate } from '../../../core/stats/ratio-gate.ts';
import { roganGladen } from '../../../core/stats/rogan-gladen.ts';
import { rubricOrder } from '../../../core/stats/rubric-order.ts';
import { scoreBand } from '../../../core/stats/score-map.ts';
import { selectiveThreshold } from '../../../core/stats/selective-threshold.ts';
import { selfPreference, selfPreferenceInterval } from '../../../core/stats/self-preference.ts';
import { signFlip } from '../../../core/stats/sign-flip.ts';
import { stratifiedPaired } from '../../../core/stats/stratified-paired.ts';
import { suiteInterval } from '../../../core/stats/suite-interval.ts';
import { suitePassHat } from '../../../core/stats/suite-t.ts';
import { tauInterval } from '../../../core/stats/tau-interval.ts';
import {
  crossValidatedKappa,
  crossValidatedPrecision,
  thresholdMaxKappa,
  thresholdTargetPrecision,
} from '../../../core/stats/threshold.ts';
import { varianceDecomposition } from '../../../core/stats/variance-decomposition.ts';
import { pairwiseVerbosity } from '../../../core/stats/verbosity.ts';
import { weightedSampleKappa } from '../../../core/stats/weighted-kappa.ts';
import { wilcoxonLess } from '../../../core/stats/wilcoxon.ts';
import { clopperPearson, jeffreys, wilson, zeroEventsUpper } from '../../../core/stats/wilson.ts';
import { wilsonCluster } from '../../../core/stats/wilson-cluster.ts';
import { unlessRefused, unspeakable } from './finite.ts';

/** Anything that a number can be, hostile values too. */
const any = fc.oneof(
  fc.double(),
  fc.integer({ min: -3, max: 12 }),
  fc.constantFrom(0, 1, 0.5, -0, 1e-300, 1e60, 1e308, Number.NaN, Number.POSITIVE_INFINITY),
);
const count = fc.oneof(fc.nat(6), fc.nat(400), fc.constantFrom(-1, 0.5, 2 ** 40));
/** Counts for what resamples them. */
const some = fc.oneof(fc.nat(6), fc.nat(3000), fc.constantFrom(-1, 0.5));
const fraction = fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 1, 0.5, 2, -1));
const level = fc.oneof(fc.constantFrom(0.95, 0.9, 0.5, 1e-9, 1 - 1e-12), fraction);
const bit = fc.constantFrom(0, 1);
const score = fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 }), any);
const label = fc.constantFrom('a', 'b', 'c', '', null, undefined);
const table = (max: number, cell = count) =>
  fc
    .integer({ min: 0, max })
    .chain((q) => fc.array(fc.array(cell, { minLength: q, maxLength: q }), { minLength: q, maxLength: q }));
const resampled2 = fc.array(fc.array(some, { minLength: 2, maxLength: 2 }), { minLength: 2, maxLength: 2 });
const table2 = fc.array(fc.array(count, { minLength: 2, maxLength: 2 }), { minLength: 2, maxLength: 2 });
const ratings = fc.array(fc.array(label, { maxLength: 4 }), { maxLength: 8 });
const weights = fc.constantFrom('unweighted' as const, 'linear' as const, 'quadratic' as const);

/** Several lists of one length, each of its own values. */
function columns<T extends unknown[]>(
  ...values: { [K in keyof T]: fc.Arbitrary<T[K]> }
): fc.Arbitrary<{ [K in keyof T]: T[K][] }> {
  const rows = fc.array(fc.tuple<T>(...values), { maxLength: 24 });
  return rows.map(
    (all) => values.map((_, column) => all.map((row) => row[column])) as { [K in keyof T]: T[K][] },
  );
}

const B = 10;

/** Every public measure with whatever it may be given. */
const measures: Record<string, fc.Arbitrary<() => unknown>> = {
  wilson: fc.tuple(any, any, level).map(
    ([x, n, l]) =>
      () =>
        wilson(x, n, l),
  ),
  clopperPearson: fc.tuple(count, count, level).map(
    ([x, n, l]) =>
      () =>
        clopperPearson(x, n, l),
  ),
  jeffreys: fc.tuple(count, count, level).map(
    ([x, n, l]) =>
      () =>
        jeffreys(x, n, l),
  ),
  zeroEventsUpper: fc.tuple(count, level).map(
    ([n, l]) =>
      () =>
        zeroEventsUpper(n, l),
  ),
  quantile7: fc.tuple(fc.array(fc.integer()), fc.double({ min: 0, max: 1, noNaN: true })).map(
    ([x, p]) =>
      () =>
        quantile7(x, p),
  ),
  contingencyTable: columns(label, label).map(
    ([a, b]) =>
      () =>
        contingencyTable(a, b),
  ),
  percentAgreement: columns(label, label).map(
    ([a, b]) =>
      () =>
        percentAgreement(a, b),
  ),
  cohenKappa: fc.tuple(table(4), weights, level).map(
    ([t, w, l]) =>
      () =>
        cohenKappa(t, { weights: w, level: l }),
  ),
  cohenKappaCustom: fc.tuple(table(3), table(3)).map(
    ([t, w]) =>
      () =>
        cohenKappa(t, { weights: w }),
  ),
  smoothedKappa: fc.tuple(table(4), weights).map(
    ([t, w]) =>
      () =>
        smoothedKappa(t, { weights: w }),
  ),
  kappaMax: fc.tuple(table(4), weights).map(
    ([t, w]) =>
      () =>
        kappaMax(t, { weights: w }),
  ),
  kappaParadox: table(4).map((t) => () => kappaParadox(t)),
  kappaBootstrap: fc.tuple(table(3, some), weights).map(
    ([t, w]) =>
      () =>
        kappaBootstrap(t, { weights: w, B, seed: 1 }),
  ),
  clusteredKappa: columns(label, label, count).map(
    ([a, b, c]) =>
      () =>
        clusteredKappa(a, b, c),
  ),
  weightedSampleKappa: columns(label, label, any).map(
    ([a, b, w]) =>
      () =>
        weightedSampleKappa(a, b, w),
  ),
  dependentKappaDifference: fc.tuple(columns(label, label, label), weights).map(
    ([[a, b, c], w]) =>
      () =>
        dependentKappaDifference(a, b, c, { weights: w }),
  ),
  itemsForKappaDifference: fc.tuple(count, fraction, fraction).map(
    ([n, se, d]) =>
      () =>
        itemsForKappaDifference({ n, se }, d),
  ),
  scottPi: fc.tuple(table(4), weights, level).map(
    ([t, w, l]) =>
      () =>
        scottPi(t, { weights: w, level: l }),
  ),
  gwetAC: fc.tuple(table(4), weights, level).map(
    ([t, w, l]) =>
      () =>
        gwetAC(t, { weights: w, level: l }),
  ),
  brennanPrediger: fc.tuple(table(4), weights).map(
    ([t, w]) =>
      () =>
        brennanPrediger(t, { weights: w }),
  ),
  byrtIndices: table2.map((t) => () => byrtIndices(t)),
  fleissKappa: fc.tuple(ratings, weights).map(
    ([r, w]) =>
      () =>
        fleissKappa(r, { weights: w }),
  ),
  gwetACMulti: fc.tuple(ratings, weights).map(
    ([r, w]) =>
      () =>
        gwetACMulti(r, { weights: w }),
  ),
  brennanPredigerMulti: ratings.map((r) => () => brennanPredigerMulti(r)),
  krippendorffAlpha: fc
    .tuple(
      fc.array(fc.array(score, { maxLength: 4 }), { maxLength: 8 }),
      fc.constantFrom<AlphaLevel>('nominal', 'ordinal', 'interval', 'ratio'),
    )
    .map(
      ([r, l]) =>
        () =>
          krippendorffAlpha(r, l),
    ),
  alphaInterval: ratings.map((r) => () => alphaInterval(r, 'nominal', { B, seed: 1 })),
  ratingsBootstrap: ratings.map(
    (r) => () => ratingsBootstrap(r, (drawn) => fleissKappa(drawn).value, { B, seed: 1 }),
  ),
  icc: columns(score, score, score).map(
    ([a, b, c]) =>
      () =>
        icc(a.map((x, i) => [x, b[i], c[i]])),
  ),
  rankCorrelation: columns(score, score).map(
    ([x, y]) =>
      () =>
        rankCorrelation(x, y),
  ),
  tauInterval: columns(score, score).map(
    ([x, y]) =>
      () =>
        tauInterval(x, y, { B, seed: 1 }),
  ),
  confusionMetrics: table(4).map((t) => () => confusionMetrics(t)),
  sensitivity: table2.map((t) => () => [sensitivity(t, 0), specificity(t, 0)]),
  confusionBootstrap: table(3, some).map((t) => () => confusionBootstrap(t, (m) => m.mcc, { B, seed: 1 })),
  altTest: fc
    .tuple(
      columns(label, label, label, label),
      fraction,
      count,
      fc.constantFrom('accuracy' as const, 'rmse' as const),
    )
    .map(
      ([[a, b, c, j], epsilon, minItems, s]) =>
        () =>
          altTest([a, b, c], j, { epsilon, minItems, score: s }),
    ),
  humanCeiling: columns(label, label, label).map(
    ([a, b, j]) =>
      () =>
        humanCeiling([a, b], j),
  ),
  ceilingInterval: columns(label, label, label).map(
    ([a, b, j]) =>
      () =>
        ceilingInterval([a, b], j, { B, seed: 1 }),
  ),
  passHatK: fc.tuple(count, count, fc.nat(9)).map(
    ([n, c, k]) =>
      () =>
        passHatK(n, c, k),
  ),
  passAtK: fc.tuple(count, count, fc.nat(9)).map(
    ([n, c, k]) =>
      () =>
        passAtK(n, c, k),
  ),
  suiteInterval: fc
    .tuple(
      fc.array(fc.array(fc.constantFrom(0, 1, true, false, null), { maxLength: 5 }), { maxLength: 8 }),
      fc.nat(4),
      level,
    )
    .map(([t, k, l]) => () => [suiteInterval(t, k, l), suitePassHat(t, k, l), varianceDecomposition(t)]),
  clusterSE: columns(score, count).map(
    ([y, c]) =>
      () =>
        clusterSE(y, c),
  ),
  wilsonCluster: columns(count, count).map(
    ([x, n]) =>
      () =>
        wilsonCluster(x, n),
  ),
  mcnemar: table2.map((t) => () => [mcnemar(t), pairedDifference(t), newcombePaired(t), tangoPaired(t)]),
  bonettPrice: fc.tuple(count, count, count).map(
    ([b, c, n]) =>
      () =>
        bonettPrice(b, c, n),
  ),
  proportionDifference: fc.tuple(count, count, count, count).map(
    ([x1, n1, x2, n2]) =>
      () =>
        proportionDifference({ x: x1, n: n1 }, { x: x2, n: n2 }),
  ),
  pairedTask: columns(score, score).map(
    ([a, b]) =>
      () =>
        pairedTask(a, b),
  ),
  signFlip: fc.array(score, { maxLength: 20 }).map((d) => () => signFlip(d, { seed: 1, B })),
  wilcoxonLess: fc.array(score, { maxLength: 20 }).map((d) => () => wilcoxonLess(d)),
  stratifiedPaired: fc
    .array(fc.record({ weight: any, d: fc.array(score, { maxLength: 5 }) }), { maxLength: 3 })
    .map((strata) => () => stratifiedPaired(strata, { seed: 1, B })),
  power: fc
    .tuple(any, any, any, any, any, any, fraction, fraction)
    .map(([omega2, sigmaA2, kA, sigmaB2, kB, x, alpha, power]) => () => [
      unlessRefused(() => tasksForDelta({ omega2, sigmaA2, kA, sigmaB2, kB, delta: x }, { alpha, power })),
      unlessRefused(() =>
        minimumDetectableEffect({ omega2, sigmaA2, kA, sigmaB2, kB, tasks: x }, { alpha, power }),
      ),
      unlessRefused(() => pairsForMcNemar({ discordant: kA, delta: x }, { alpha, power })),
      unlessRefused(() => differenceBetweenTasks([omega2, x], { sigmaA2, kA, sigmaB2, kB })),
    ]),
  adjustP: fc.array(fraction).map((p) => () => adjustP(p)),
  binomialTest: fc.tuple(count, count, fraction).map(
    ([x, n, p]) =>
      () =>
        binomialTest(Math.min(x, 5000), Math.min(n, 5000), p),
  ),
  nonInferiorityGate: fc
    .tuple(fc.array(score, { maxLength: 24 }), any, fraction, fc.nat(9), fc.boolean())
    .map(([d, margin, alpha, trials, unbounded]) => () => {
      const gate = nonInferiorityGate(d, { margin, alpha, trials, unbounded });
      return holmGates([gate, gate]);
    }),
  ratioGate: fc.tuple(columns(score, score), any).map(
    ([[a, b], budget]) =>
      () =>
        ratioGate(a, b, { budget }),
  ),
  hardRule: fc.tuple(count, count).map(
    ([v, n]) =>
      () =>
        hardRule(v, n),
  ),
  roganGladen: fc.tuple(count, count, count, count, count, count, level).map(
    ([x, n, tp, nPos, tn, nNeg, l]) =>
      () =>
        roganGladen({ x, n, tp, nPos, tn, nNeg }, l),
  ),
  calibrationAllocation: fc.tuple(count, fraction, fraction, fraction).map(
    ([m, p, tpr, tnr]) =>
      () =>
        calibrationAllocation(m, { p, tpr, tnr }),
  ),
  judgyBootstrap: fc.tuple(columns(bit, bit), fc.array(bit), fc.boolean()).map(
    ([[a, b], u, resampleUnlabeled]) =>
      () =>
        judgyBootstrap(a, b, u, { resampleUnlabeled, seed: 1, B }),
  ),
  correctedPassRate: fc
    .tuple(
      fc.array(fc.record({ labelled: count, passed: count, unlabelled: count }), { maxLength: 4 }),
      level,
    )
    .map(
      ([cells, l]) =>
        () =>
          correctedPassRate(cells, l),
    ),
  postStratified: fc.tuple(columns(score, fc.constantFrom('a', 'b', 'c')), count, count, count).map(
    ([[y, s], a, b, c]) =>
      () =>
        postStratified(y, s, new Map(Object.entries({ a, b, c }))),
  ),
  ppiMean: fc
    .tuple(columns(score, score), fc.array(score), fc.option(fraction, { nil: undefined }))
    .map(([[y, yhat], yhatUnlabeled, lambda]) => () => [
      ppiMean({ y, yhat, yhatUnlabeled }, { lambda }),
      ppiStratified([{ y, yhat, yhatUnlabeled, weight: 1 }]),
    ]),
  confusionInversion: fc.tuple(fraction, fraction, fraction).map(
    ([a, b, p]) =>
      () =>
        confusionInversion(
          [
            [a, b],
            [1 - a, 1 - b],
          ],
          [p, 1 - p],
          { scores: [0, 1], maxSteps: 500 },
        ),
  ),
  inversionInterval: fc.tuple(resampled2, fc.array(some, { minLength: 2, maxLength: 2 })).map(
    ([t, judged]) =>
      () =>
        inversionInterval(t, judged, [0, 1], { B, seed: 1 }),
  ),
  chooseCorrection: fc
    .tuple(
      fc.constantFrom('random' as const, 'elsewhere' as const, 'unknown' as const),
      fc.array(count),
      fc.array(count),
    )
    .map(
      ([design, byVerdict, byHuman]) =>
        () =>
          chooseCorrection(design, 'rate', { byVerdict, byHuman }),
    ),
  positionBias: fc.tuple(count, count, count, count, count).map(([a, b, c, d, e]) => () => [
    positionBias({ consistentA: a, consistentB: b, firstBoth: c, secondBoth: d, mixedWithTie: e }),
    preferenceFairness({ primacy: c, recency: d, consistent: a }),
    orderConflict({ conflictOnly: c, repeatOnly: d, n: a + c + d }),
    positionChiSquare([a, b, c]),
  ]),
  logisticRegression: fc.tuple(columns(bit, score, score, count), fc.boolean()).map(
    ([[y, a, b, cluster], ridge]) =>
      () =>
        logisticRegression(
          y,
          a.map((x, i) => [x, b[i] ?? 0]),
          { cluster, ridge },
        ),
  ),
  pairwiseVerbosity: columns(bit, fc.constantFrom(-1, 0, 1), score, fc.constantFrom(-1, 1), count).map(
    ([y, human, logLengthRatio, position, item]) =>
      () =>
        pairwiseVerbosity({ y, human, logLengthRatio, position, item }, { seed: 1, B: 2 }),
  ),
  partialCorrelation: fc
    .tuple(columns(score, score, score), fc.constantFrom('pearson' as const, 'spearman' as const))
    .map(([[x, y, c], method]) => () => [
      partialCorrelation(
        x,
        y,
        c.map((v) => [v]),
        { method },
      ),
      unlessRefused(() => partialCorrelation(x, y, levelColumns(c), { method })),
    ]),
  selfPreference: fc
    .array(
      fc.record({
        judgeFamily: fc.constantFrom('g', 'c'),
        authorFamily: fc.constantFrom('g', 'c', 'l'),
        residuals: fc.array(score, { maxLength: 4 }),
      }),
    )
    .map((cells) => () => selfPreference(cells, 'g')),
  selfPreferenceInterval: fc
    .array(
      fc.record({
        item: fc.constantFrom('1', '2', '3'),
        judgeFamily: fc.constantFrom('g', 'c'),
        authorFamily: fc.constantFrom('g', 'c'),
        residual: fc.integer({ min: -2, max: 2 }),
      }),
    )
    .map((answers) => () => selfPreferenceInterval(answers, 'g', { B, seed: 1 })),
  leniency: columns(score, score).map(
    ([j, h]) =>
      () =>
        leniency(j, h, { range: 4 }),
  ),
  centralTendency: columns(score, score).map(
    ([j, h]) =>
      () =>
        centralTendency(j, h, [1, 5], { B, seed: 1 }),
  ),
  rubricOrder: columns(score, score).map(
    ([a, b]) =>
      () =>
        rubricOrder(a, b, { range: 4, seed: 1 }),
  ),
  biasFlags: columns(score, score).map(([j, h]) => () => {
    const p = leniency(j, h).p;
    return biasFlags([
      biasMeasure('leniency', (l) => leniency(j, h, { level: l }), p),
      biasMeasure('rubric-order', (l) => pairedTask(j, h, l), p),
    ]);
  }),
  isotonic: columns(score, score, any).map(
    ([x, y, w]) =>
      () =>
        isotonicPredict(isotonic(x, y, w), [0, 2.5, 9]),
  ),
  platt: columns(score, bit).map(
    ([s, y]) =>
      () =>
        platt(s, y),
  ),
  scoreBand: columns(score, bit).map(
    ([s, y]) =>
      () =>
        scoreBand(s, y, [0, 3], { seed: 1, B: 5 }),
  ),
  flakyTasks: fc.array(fc.array(fc.constantFrom(0, 1, null))).map((t) => () => flakyTasks(t)),
  calibrationMetrics: columns(fraction, bit).map(([p, y]) => () => [
    calibrationMetrics(p, y),
    eceZeroLine(p, { seed: 1, draws: 5 }),
    aucBootstrap(p, y, { B, seed: 1 }),
  ]),
  thresholds: columns(score, bit, fc.nat(3)).map(([s, y, f]) => () => [
    thresholdMaxKappa(s, y),
    thresholdTargetPrecision(s, y, { target: 0.6 }),
    crossValidatedKappa(s, y, f),
    crossValidatedPrecision(s, y, f, { target: 0.6 }),
  ]),
  conformalQuantile: fc.tuple(fc.array(score), fraction).map(
    ([s, alpha]) =>
      () =>
        conformalQuantile(s, alpha),
  ),
  selectiveThreshold: fc.tuple(columns(fraction, bit), fraction, fraction).map(
    ([[c, y], alpha, delta]) =>
      () =>
        selectiveThreshold(c, y, { alpha, delta, grid: [0.9, 0.5, 0] }),
  ),
  labelPlan: fc.tuple(any, fraction, fraction, fraction, fraction).map(([kappa, a, b, h, l]) => () => [
    unlessRefused(() =>
      itemsForKappaHalfWidth({ kappa, passRate1: a, passRate2: b }, { halfWidth: h, level: l }),
    ),
    unlessRefused(() => itemsForKappaTest({ kappa1: kappa, kappa0: h, passRate1: a, passRate2: b })),
    unlessRefused(() =>
      itemsForWeightedHalfWidth({ kappa, shares: [a, 1 - a] }, { halfWidth: h, weights: 'linear' }),
    ),
  ]),
  hajekMean: columns(score, fraction).map(
    ([y, pi]) =>
      () =>
        hajekMean(y, pi),
  ),
  activeMean: columns(fraction, fraction, bit, fc.option(score)).map(
    ([f, pi, s, y]) =>
      () =>
        activeMean({ f, pi, sampled: s.map((x) => (x === 1 ? 1 : 0)), y }),
  ),
  driftMonitor: fc.tuple(fc.array(bit, { maxLength: 60 }), fraction, fraction, fraction).map(
    ([o, reference, tolerance, alpha]) =>
      () =>
        driftMonitor(o, { reference, tolerance, alpha }),
  ),
  driftMonitorCounted: fc.tuple(fc.array(bit, { maxLength: 60 }), count, count).map(
    ([o, agreed, n]) =>
      () =>
        driftMonitor(o, { reference: { agreed, n } }),
  ),
  confidenceSequence: fc.tuple(count, count, level).map(
    ([x, n, l]) =>
      () =>
        confidenceSequence(x, n, l),
  ),
};

describe('no result holds a number that JSON cannot, whatever it is given', () => {
  for (const [name, calls] of Object.entries(measures)) {
    it(name, () => {
      fc.assert(
        fc.property(calls, (call) => {
          expect(unspeakable(unlessRefused(call))).toEqual([]);
        }),
        { numRuns: 60 },
      );
    });
  }
});
