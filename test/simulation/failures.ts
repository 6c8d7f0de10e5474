import { bootstrap } from '../../core/stats/bootstrap.ts';
import { cohenKappa } from '../../core/stats/kappa.ts';
import { kappaBootstrap } from '../../core/stats/kappa-bootstrap.ts';
import type { RandomStream } from '../../core/stats/random.ts';
import type { Interval } from '../../core/stats/stat.ts';
import { suitePassHat } from '../../core/stats/suite-t.ts';
import { wilson } from '../../core/stats/wilson.ts';
import { average, coverage, draw, mixed, square, suite, taskRates } from './draw.ts';
import { type Row, row } from './figure.ts';
import { correctedInterval, DESIGN, judged, labelled, unlabelledPpi } from './judged.ts';

/** How badly the methods do that are not the default: why they are not. */
export function failureRows(replicates: number): Row[] {
  return [...suiteFailures(replicates), ...kappaFailures(replicates), ...correctionFailures(replicates)];
}

/** An interval that does not exist, or has no width, holds nothing. */
const NOTHING: Interval = { low: 2, high: 2, level: 0.95, method: 'none' };

function suiteFailures(replicates: number): Row[] {
  const cells = [
    { tasks: 10, rate: 0.8, naive: 0.72, t: 0.88, percentile: 0.85, bca: 0.88 },
    { tasks: 10, rate: 0.95, naive: 0.87, t: 0.69, percentile: 0.68, bca: 0.67 },
    { tasks: 20, rate: 0.95, naive: 0.77, t: 0.75, percentile: 0.78, bca: 0.82 },
    { tasks: 50, rate: 0.8, naive: 0.75, t: 0.94, percentile: 0.92, bca: 0.94 },
    { tasks: 50, rate: 0.95, naive: 0.76, t: 0.89, percentile: 0.88, bca: 0.91 },
    { tasks: 100, rate: 0.95, naive: 0.74, t: 0.91, percentile: 0.92, bca: 0.95 },
  ];
  return cells.flatMap(({ tasks, rate, ...stated }) => {
    const rates = taskRates(rate);
    const truth = average(rates, (chance) => chance);
    const sample = (random: RandomStream) => suite(rates, { tasks, trials: 5 }, random);
    const design = `${tasks} tasks x 5, rate ${rate}`;
    const naive = coverage(21, replicates, truth, (random) => {
      const runs = sample(random).flat();
      return wilson(runs.filter((run) => run === 1).length, runs.length).ci;
    });
    const t = coverage(22, replicates, truth, (random) => suitePassHat(sample(random)).ci ?? NOTHING);
    const resampled = (method: 'percentile' | 'bca') =>
      coverage(23, Math.ceil(replicates / 4), truth, (random) => {
        const means = sample(random).map((trials) => average(trials, (trial) => trial));
        const mean = (units: readonly number[]) => average(units, (unit) => means[unit] ?? 0);
        return bootstrap(tasks, mean, { seed: random.next(), B: 400, method }).ci ?? NOTHING;
      });
    return [
      row('Wilson on pooled runs', design, naive, { about: stated.naive }),
      row('t by task', design, t, { about: stated.t }),
      row('percentile by task', design, resampled('percentile'), { about: stated.percentile }),
      row('BCa by task', design, resampled('bca'), { about: stated.bca }),
    ];
  });
}

function kappaFailures(replicates: number): Row[] {
  const cells = [
    { n: 50, rate: 0.8, kappa: 0.9, fce: 0.81, bca: 0.8 },
    { n: 30, rate: 0.95, kappa: 0.7, fce: 0.43, bca: null },
    { n: 200, rate: 0.5, kappa: 0.7, fce: 0.94, bca: 0.94 },
  ];
  return cells.flatMap(({ n, rate, kappa, ...stated }) => {
    const shares = mixed(kappa, [rate, 1 - rate]);
    const design = `binary, n ${n}, pass rate ${rate}, kappa ${kappa}`;
    const plain = coverage(31, replicates, kappa, (random) => {
      const result = cohenKappa(square(draw(shares, n, random)));
      return result.value === null ? null : (result.largeSample ?? NOTHING);
    });
    const fce = row('kappa +- z se (FCE)', design, plain, { about: stated.fce });
    if (stated.bca === null) return [fce];
    const resampled = coverage(32, Math.ceil(replicates / 4), kappa, (random) => {
      const table = square(draw(shares, n, random));
      const result = kappaBootstrap(table, { seed: random.next(), B: 500 });
      return result.value === null ? null : (result.ci ?? NOTHING);
    });
    return [fce, row('kappa, BCa', design, resampled, { about: stated.bca })];
  });
}

function correctionFailures(replicates: number): Row[] {
  const { rate } = DESIGN;
  const raw = coverage(41, replicates, rate, (random) => wilson(judged(random, 1000).pass, 1000).ci);
  const enriched = (interval: typeof unlabelledPpi, lambda?: number) =>
    coverage(42, Math.ceil(replicates / 2), rate, (random) =>
      interval(labelled('enriched', random), judged(random, 900), lambda),
    );
  return [
    row('raw judge', '1000 judged', raw, { about: 0.13 }),
    row('corrected pass rate', 'enriched labels', enriched(correctedInterval), { most: 0.01 }),
    row('PPI', 'enriched labels', enriched(unlabelledPpi, 1), { about: 0.4 }),
    row('PPI++', 'enriched labels', enriched(unlabelledPpi), { about: 0.11 }),
  ];
}
