import { z } from 'zod';
import { alphaInterval } from '../../../../core/stats/alpha-interval.ts';
import { bcaInterval } from '../../../../core/stats/bca.ts';
import { type BootstrapResult, bootstrap } from '../../../../core/stats/bootstrap.ts';
import { contingencyTable } from '../../../../core/stats/contingency.ts';
import { kappaBootstrap } from '../../../../core/stats/kappa-bootstrap.ts';
import { mean } from '../../../../core/stats/moments.ts';
import { randomStream } from '../../../../core/stats/random.ts';
import { passHats, taskCounts } from '../../../../core/stats/suite-interval.ts';
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
  table,
  weights,
} from './adapter.ts';

const object = z.strictObject;
const run = object({ seed: num, B: num, level: num });

/** Random numbers and resampling. Keys rBoot* document R boot's rule and are not matched. */
export const bootstrapAdapters: Record<string, Adapter> = {
  mt19937: adapter(object({ seed: num, count: num }), none, ({ seed, count }) => {
    const random = randomStream(seed);
    return { u32: Array.from({ length: count }, () => random.next()) };
  }),
  bootstrapIndices: adapter(
    object({ seed: num, n: num, replicates: num }),
    none,
    ({ seed, n, replicates }) => {
      const drawn: number[][] = [];
      const record = (units: readonly number[]) => drawn.push([...units]);
      bootstrap(n, record, { seed, B: replicates, method: 'percentile' });
      return { indices: drawn.slice(1) };
    },
  ),
  clusterBootstrap: adapter(
    object({ trials: table }),
    run.extend({ k: num }),
    ({ trials }, { k, ...options }) => {
      const values = passHats(taskCounts(trials).tasks, k) ?? [];
      const result = bootstrap(
        values.length,
        (units) => mean(units.map((unit) => values[unit] ?? 0)),
        options,
      );
      return { estimate: result.value, ...resampled(result) };
    },
  ),
  pairedBootstrap: adapter(object({ a: nums, b: nums }), run, ({ a, b }, options) => {
    const d = b.map((value, task) => value - (a[task] ?? 0));
    const result = bootstrap(d.length, (units) => mean(units.map((unit) => d[unit] ?? 0)), options);
    return { diff: result.value, ...resampled(result) };
  }),
  kappaBootstrap: adapter(
    object({ human: z.array(label), judge: z.array(label) }),
    run.extend({ weights, categories: z.array(category) }),
    ({ human, judge }, { categories, ...options }) => {
      const counted = contingencyTable(human, judge, categories);
      const result = kappaBootstrap(counted.table, options);
      return { kappa: result.value, ...resampled(result) };
    },
  ),
  alphaBootstrap: adapter(object({ ratings }), run, (input, options) => {
    const result = alphaInterval(input.ratings, 'ordinal', options);
    const { low, high } = ends(result.percentile);
    return { alpha: result.value, pctLow: low, pctHigh: high };
  }),
  bcaInterval: adapter(
    object({ theta: num, replicates: nums, jackknife: nums }),
    object({ level: num }),
    ({ theta, replicates, jackknife }, { level }) => {
      const units = jackknife.map((value) => ({ value, count: 1 }));
      const { percentile, bca, z0, a } = bcaInterval(theta, replicates, units, level);
      const { low, high } = ends(percentile);
      return { ...ends(bca), pctLow: low, pctHigh: high, z0, a };
    },
  ),
  /** All nⁿ resamples instead of random ones: what the intervals of the engine converge to. */
  exactBootstrapMean: adapter(object({ x: nums }), object({ level: num }), ({ x }, { level }) => {
    const means = everyResample(x).map(mean);
    const theta = mean(x);
    const { percentile } = bcaInterval(theta, means, [], level);
    const { low, high } = ends(percentile);
    const se = Math.sqrt(mean(means.map((value) => (value - theta) ** 2)));
    return { se, pctLow: low, pctHigh: high, replicateCount: means.length };
  }),
};

function resampled(result: BootstrapResult): Outcome {
  const { low, high } = ends(result.percentile);
  return { seBoot: result.se, z0: result.z0, a: result.a, ...ends(result.bca), pctLow: low, pctHigh: high };
}

function everyResample(x: readonly number[]): number[][] {
  return x.reduce<number[][]>(
    (samples) => samples.flatMap((sample) => x.map((value) => [...sample, value])),
    [[]],
  );
}
