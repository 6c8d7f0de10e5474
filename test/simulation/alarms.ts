import { type BiasMeasure, biasFlags, biasMeasure } from '../../core/stats/bias-flag.ts';
import { centralTendency, pitmanMorgan } from '../../core/stats/central-tendency.ts';
import { driftMonitor } from '../../core/stats/drift-monitor.ts';
import { dependentKappaDifference } from '../../core/stats/kappa-difference.ts';
import { mcnemar } from '../../core/stats/mcnemar.ts';
import { meanT } from '../../core/stats/mean-t.ts';
import { holmGates, nonInferiorityGate } from '../../core/stats/non-inferiority.ts';
import { partialCorrelation } from '../../core/stats/partial-correlation.ts';
import { positionBias } from '../../core/stats/position.ts';
import type { RandomStream } from '../../core/stats/random.ts';
import { ratioGate } from '../../core/stats/ratio-gate.ts';
import { selfPreference } from '../../core/stats/self-preference.ts';
import { signFlip } from '../../core/stats/sign-flip.ts';
import { pairwiseVerbosity } from '../../core/stats/verbosity.ts';
import { draw, gaussian, share, square } from './draw.ts';
import { type Row, row } from './figure.ts';
import { changes, judgedTwice } from './versions.ts';

/** How often each flag, test and gate raises an alarm when nothing is wrong. */
export function alarmRows(replicates: number): Row[] {
  return [...flagAlarms(replicates), ...gateAlarms(replicates), ...otherAlarms(replicates)];
}

/** Measures of 100 items (pairs, answers) in which no bias is. */
const MEASURES: Record<string, (random: RandomStream) => BiasMeasure> = {
  position: (random) => {
    const [a = 0, b = 0, first = 0, second = 0] = draw([0.4, 0.4, 0.1, 0.1], 100, random);
    const counts = { consistentA: a, consistentB: b, firstBoth: first, secondBoth: second, mixedWithTie: 0 };
    return biasMeasure('position', (level) => positionBias(counts, level).netShift, positionBias(counts).p);
  },
  'verbosity, pairs': (random) => {
    const rows = Array.from({ length: 100 }, (_, row) => {
      const human = random.index(3) - 1;
      const y = random.uniform() < 1 / (1 + Math.exp(-human)) ? 1 : 0;
      return { y, human, length: gaussian(random) / 2, position: row % 2 === 0 ? 1 : -1 };
    });
    const verdicts = {
      y: rows.map(({ y }) => y),
      human: rows.map(({ human }) => human),
      logLengthRatio: rows.map(({ length }) => length),
      position: rows.map(({ position }) => position),
      item: rows.map((_, item) => item),
    };
    const measure = (level: number) => pairwiseVerbosity(verdicts, { seed: 1, B: 19, level });
    return biasMeasure('verbosity-pairwise', measure, measure(0.95).p);
  },
  'verbosity, scores': (random) => {
    const human = Array.from({ length: 100 }, () => gaussian(random));
    const judge = human.map((score) => score + gaussian(random) / 2);
    const length = human.map((score) => score / 2 + gaussian(random));
    const controls = human.map((score) => [score]);
    const measure = (level: number) => partialCorrelation(judge, length, controls, { level });
    return biasMeasure('verbosity-absolute', measure, measure(0.95).p);
  },
  'self-preference': (random) => {
    const cells = ['a', 'b'].flatMap((judgeFamily) =>
      ['a', 'b'].map((authorFamily) => ({
        judgeFamily,
        authorFamily,
        residuals: Array.from({ length: 50 }, () => 0.1 + 0.2 * gaussian(random)),
      })),
    );
    const measure = (level: number) => selfPreference(cells, 'a', level);
    return biasMeasure('self-preference', measure, measure(0.95).p);
  },
  leniency: (random) => {
    const errors = Array.from({ length: 100 }, () => 0.3 * gaussian(random));
    return biasMeasure('leniency', (level) => meanT(errors, level), meanT(errors).p);
  },
  'central tendency': (random) => {
    const truth = Array.from({ length: 100 }, () => gaussian(random));
    const human = truth.map((score) => score + gaussian(random) / 2);
    const judge = truth.map((score) => score + gaussian(random) / 2);
    const ratio = (level: number) =>
      centralTendency(judge, human, [1, 5], { seed: 1, B: 40, level }).logRatio;
    return biasMeasure('central-tendency', ratio, pitmanMorgan(judge, human).p);
  },
  'rubric order': (random) => {
    const changed = Array.from({ length: 100 }, () => 0.2 * gaussian(random));
    const { pTwo } = signFlip(changed, { seed: random.next(), B: 499 });
    return biasMeasure('rubric-order', (level) => meanT(changed, level), pTwo);
  },
};

function flagAlarms(replicates: number): Row[] {
  const biased = (measures: BiasMeasure[]) => biasFlags(measures).some(({ flag }) => flag === 'biased');
  const each = Object.entries(MEASURES).map(([name, measure]) => {
    const found = share(51, replicates, (random) => biased([measure(random)]));
    return row('bias flag alone', `${name}, 100 items, no bias`, found, { most: 0.05 });
  });
  const family = share(52, replicates, (random) =>
    biased(Object.values(MEASURES).map((measure) => measure(random))),
  );
  return [...each, row('any bias flag of a report', 'all seven (BH), no bias', family, { most: 0.05 })];
}

function gateAlarms(replicates: number): Row[] {
  const unchanged = [
    { tasks: 10, trials: 5, rate: 0.8 },
    { tasks: 50, trials: 5, rate: 0.8 },
    { tasks: 50, trials: 1, rate: 0.95 },
  ].map(({ tasks, trials, rate }) => {
    const found = share(61, replicates, (random) => {
      const d = changes({ tasks, trials, rate, drop: 0 }, random);
      return nonInferiorityGate(d, { margin: 0.05, trials }).decision === 'fail';
    });
    return row('gate fails', `${tasks} tasks x ${trials}, rate ${rate}, no change`, found, { most: 0.05 });
  });
  const dropped = [
    { tasks: 5, trials: 1, rate: 0.8 },
    { tasks: 5, trials: 1, rate: 0.95 },
    { tasks: 50, trials: 5, rate: 0.8 },
    { tasks: 100, trials: 3, rate: 0.95 },
  ].map(({ tasks, trials, rate }) => {
    const found = share(62, replicates, (random) => {
      const d = changes({ tasks, trials, rate, drop: 0.05 }, random);
      return (nonInferiorityGate(d, { margin: 0.05, trials }).lower ?? -1) >= -0.05;
    });
    return row('gate clears its margin', `${tasks} tasks x ${trials}, rate ${rate}, drop = margin`, found, {
      most: 0.056,
    });
  });
  const any = share(63, replicates, (random) => {
    const gates = Array.from({ length: 4 }, () => {
      const d = changes({ tasks: 30, trials: 5, rate: 0.8, drop: 0 }, random);
      return nonInferiorityGate(d, { margin: 0.05, trials: 5 });
    });
    return holmGates(gates).some(({ decision }) => decision === 'fail');
  });
  const costs = (ratio: number, random: RandomStream) => {
    const before = Array.from({ length: 30 }, () => Math.exp(gaussian(random)));
    const after = before.map((cost) => ratio * cost * Math.exp(0.3 * gaussian(random)));
    return ratioGate(before, after, { budget: 1.2 }).decision;
  };
  const over = share(64, replicates, (random) => costs(1.2, random) === 'pass');
  const same = share(65, replicates, (random) => costs(1, random) === 'fail');
  return [
    ...unchanged,
    ...dropped,
    row('any of 4 gates fails (Holm)', '30 tasks x 5, no change', any, { most: 0.05 }),
    row('cost gate passes', '30 tasks, ratio = budget', over, { most: 0.05 }),
    row('cost gate fails', '30 tasks, no change', same, { most: 0.05 }),
  ];
}

function otherAlarms(replicates: number): Row[] {
  const upgrades = [30, 100].map((n) => {
    const found = share(71, replicates, (random) => {
      const { human, judge1, judge2 } = judgedTwice({ n, right1: 0.85, right2: 0.85 }, random);
      return (dependentKappaDifference(human, judge1, judge2, { categories: [0, 1] }).p ?? 1) <= 0.05;
    });
    return row('difference of dependent kappas', `n ${n}, no difference`, found, { most: 0.064 });
  });
  const exact = share(72, replicates, (random) => {
    return mcnemar(square(draw([0.6, 0.1, 0.1, 0.2], 100, random))).pExact <= 0.05;
  });
  const drift = share(73, Math.ceil(replicates / 4), (random) => {
    const seen = Array.from({ length: 150 }, () => (random.uniform() < 0.9 ? 1 : 0));
    return driftMonitor(seen, { reference: 0.9 }).alarmAt !== null;
  });
  return [
    ...upgrades,
    row("McNemar's exact test", '100 items, no difference', exact, { most: 0.05 }),
    row('drift alarm, ever', '150 looks at an unchanged rate of .9', drift, { most: 0.05 }),
  ];
}
