import { z } from 'zod';
import { adjustP } from '../../../../core/stats/adjust-p.ts';
import { binomialTest } from '../../../../core/stats/binomial-test.ts';
import { clusterSE } from '../../../../core/stats/cluster-se.ts';
import { mcnemar, pairedDifference } from '../../../../core/stats/mcnemar.ts';
import { nonInferiorityGate } from '../../../../core/stats/non-inferiority.ts';
import { newcombePaired, tangoPaired } from '../../../../core/stats/paired-interval.ts';
import { pairedTask } from '../../../../core/stats/paired-task.ts';
import { passAtK, passHatK } from '../../../../core/stats/pass-k.ts';
import { minimumDetectableEffect, pairsForMcNemar, tasksForDelta } from '../../../../core/stats/power.ts';
import { signFlipExact, signFlipMonteCarlo } from '../../../../core/stats/sign-flip.ts';
import type { Interval, Stat } from '../../../../core/stats/stat.ts';
import { suiteInterval } from '../../../../core/stats/suite-interval.ts';
import { suitePassHat } from '../../../../core/stats/suite-t.ts';
import { varianceDecomposition } from '../../../../core/stats/variance-decomposition.ts';
import { clopperPearson, jeffreys, wilson, zeroEventsUpper } from '../../../../core/stats/wilson.ts';
import { wilsonCluster } from '../../../../core/stats/wilson-cluster.ts';
import { type Adapter, adapter, ends, none, num, nums, type Outcome, standing, table } from './adapter.ts';

const object = z.strictObject;
const trials = table;
const noise = object({ omega2: num, sigmaA2: num, kA: num, sigmaB2: num, kB: num });
const asked = { alpha: num, power: num };

/** Rates, suites and versions. */
export const suiteAdapters: Record<string, Adapter> = {
  wilson: rate(wilson),
  clopperPearson: rate(clopperPearson),
  jeffreys: rate(jeffreys),
  zeroEventsUpper: adapter(
    object({ n: num }),
    object({ level: num, sided: z.literal(1) }),
    ({ n }, { level }) => ({
      upper: zeroEventsUpper(n, level).ci?.high,
    }),
  ),
  passHatK: passK(passHatK),
  passAtK: passK(passAtK),
  suiteInterval: adapter(object({ trials }), object({ k: num, level: num }), (input, { k, level }) => {
    const stat = suiteInterval(input.trials, k, level);
    return { mean: stat.value, se: stat.se, nEff: stat.nEff, ...ends(stat.ci) };
  }),
  suitePassHat: adapter(
    object({ trials }),
    object({ k: num, level: num, interval: z.literal('cluster-t') }),
    (input, { k, level }) => {
      const stat = suitePassHat(input.trials, k, level);
      return { mean: stat.value, se: stat.se, ...ends(stat.ci) };
    },
  ),
  clusterSE: adapter(object({ y: nums, cluster: z.array(z.string()) }), none, ({ y, cluster }) => {
    const { value, se, seMiller, seNaive } = clusterSE(y, cluster);
    return { mean: value, se, seMiller, seSurvey: se, seNaive };
  }),
  wilsonCluster: adapter(
    object({ successes: nums, trials: nums }),
    object({ level: num }),
    (input, { level }) => {
      const { value, ci, icc, vif } = wilsonCluster(input.successes, input.trials, level);
      return { p: value, ...ends(ci), icc, vif };
    },
  ),
  varianceDecomposition: adapter(object({ trials }), none, (input) => ({
    ...varianceDecomposition(input.trials),
  })),
  pairedTaskT: adapter(object({ a: nums, b: nums }), object({ level: num }), ({ a, b }, { level }) => {
    const { value, se, t, df, p, ci } = pairedTask(a, b, level);
    return { mean: value, se, t, df, p, ...ends(ci) };
  }),
  signFlipExact: adapter(object({ d: nums }), none, ({ d }) => ({ ...signFlipExact(d) })),
  signFlipMonteCarlo: adapter(object({ d: nums }), object({ seed: num, B: num }), ({ d }, options) => ({
    ...signFlipMonteCarlo(d, options),
  })),
  tasksForDelta: adapter(noise.extend({ delta: num, ...asked }), none, ({ alpha, power, ...input }) => ({
    ...tasksForDelta(input, { alpha, power }),
  })),
  minimumDetectableEffect: adapter(
    noise.extend({ tasks: num, ...asked }),
    none,
    ({ alpha, power, ...input }) => ({
      delta: minimumDetectableEffect(input, { alpha, power }),
    }),
  ),
  pairsForMcNemar: adapter(
    object({ discordant: num, delta: num, ...asked }),
    none,
    ({ alpha, power, ...input }) => ({ ...pairsForMcNemar(input, { alpha, power }) }),
  ),
  adjustP: adapter(object({ p: nums }), none, ({ p }) => ({ ...adjustP(p) })),
  nonInferiorityGate: adapter(
    object({ d: nums, trials: num.optional() }),
    object({ margin: num, alpha: num }),
    (input, options) => ({
      ...nonInferiorityGate(input.d, {
        ...options,
        ...(input.trials !== undefined && { trials: input.trials }),
      }),
    }),
  ),
  mcnemar: adapter(object({ table }), none, (input) => ({ status: 'ok', ...mcnemar(input.table) })),
  /** The product reports candidate − baseline, these cases A − B: ends change place and sign. */
  pairedDifferenceCI: adapter(object({ table }), object({ level: num }), (input, { level }) => {
    const stat = pairedDifference(input.table, level);
    const bonettPrice = reversed(stat.ci);
    const newcombe = reversed(newcombePaired(input.table, level));
    const tango = reversed(tangoPaired(input.table, level));
    return {
      diff: -(stat.value ?? Number.NaN),
      bpLow: bonettPrice.low,
      bpHigh: bonettPrice.high,
      newcLow: newcombe.low,
      newcHigh: newcombe.high,
      tangoLow: tango.low,
      tangoHigh: tango.high,
    };
  }),
  binomialTest: adapter(object({ x: num, n: num, p0: num }), none, ({ x, n, p0 }) => ({
    p: binomialTest(x, n, p0),
  })),
};

function rate(formula: (x: number, n: number, level?: number) => Stat): Adapter {
  return adapter(
    object({ x: num, n: num }),
    object({ level: num.optional() }),
    ({ x, n }, { level }): Outcome => {
      const stat = formula(x, n, level);
      return { ...standing(stat), ...ends(stat.ci) };
    },
  );
}

function passK(formula: (n: number, c: number, k: number) => Stat): Adapter {
  return adapter(object({ n: num, c: num, k: num }), none, ({ n, c, k }) => {
    const stat = formula(n, c, k);
    return { ...standing(stat), value: stat.value };
  });
}

function reversed(ci: Interval | null): { low: number; high: number } {
  if (ci === null) throw new Error('an interval was expected');
  return { low: -ci.high, high: -ci.low };
}
