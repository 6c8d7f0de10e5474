import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { altTest } from '../../../core/stats/alt-test.ts';
import { calibrationMetrics, eceZeroLine } from '../../../core/stats/calibration-metrics.ts';
import { conformalQuantile, conformalSet } from '../../../core/stats/conformal.ts';
import { contingencyTable } from '../../../core/stats/contingency.ts';
import { ceilingInterval, humanCeiling } from '../../../core/stats/human-ceiling.ts';
import { isotonic, isotonicPredict } from '../../../core/stats/isotonic.ts';
import { cohenKappa } from '../../../core/stats/kappa.ts';
import { dependentKappaDifference, itemsForKappaDifference } from '../../../core/stats/kappa-difference.ts';
import { itemsForKappaHalfWidth, itemsForWeightedHalfWidth } from '../../../core/stats/label-plan.ts';
import { platt, plattPredict } from '../../../core/stats/platt.ts';
import { randomStream } from '../../../core/stats/random.ts';
import { predictScores, scoreBand, scoreMap } from '../../../core/stats/score-map.ts';
import {
  crossValidatedKappa,
  crossValidatedPrecision,
  thresholdMaxKappa,
} from '../../../core/stats/threshold.ts';
import { weightedSampleKappa } from '../../../core/stats/weighted-kappa.ts';
import { wilcoxonLess } from '../../../core/stats/wilcoxon.ts';

const points = fc.array(
  fc.tuple(fc.integer({ min: 0, max: 20 }), fc.double({ min: 0, max: 1, noNaN: true })),
  { minLength: 1, maxLength: 30 },
);

describe('isotonic map', () => {
  it('never falls, keeps the mean and is a fixed point of itself', () => {
    fc.assert(
      fc.property(points, (pairs) => {
        const [x, y] = [pairs.map(([value]) => value), pairs.map(([, value]) => value)];
        const map = isotonic(x, y);
        map.fitted.forEach((value, index) => {
          expect(value).toBeGreaterThanOrEqual((map.fitted[index - 1] ?? 0) - 1e-12);
        });
        const predicted = isotonicPredict(map, x).map((value) => value ?? -1);
        const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
        expect(sum(predicted)).toBeCloseTo(sum(y), 8);
        const again = isotonic(map.x, map.fitted).fitted;
        again.forEach((value, index) => {
          expect(value).toBeCloseTo(map.fitted[index] ?? -1, 12);
        });
      }),
    );
  });
});

describe('probabilities of a judge', () => {
  const random = randomStream(8);
  const p = Array.from({ length: 300 }, () => random.uniform());
  const y = p.map((value) => (random.uniform() < value ? 1 : 0));

  it('that are right have no more calibration error than simulated right ones', () => {
    const { ece } = calibrationMetrics(p, y);
    const line = eceZeroLine(p, { seed: 1 });
    expect(ece).toBeLessThan(2 * (line ?? 0));
    expect(line).toBeGreaterThan(0.01);
  });

  it('have no area under the curve when one label only occurs', () => {
    expect(calibrationMetrics([0.2, 0.4], [1, 1]).auc).toBeNull();
  });

  it('are scaled by Platt with few labels, and refused with one class', () => {
    const map = platt(
      p.map((value) => 10 * value),
      y,
    );
    expect(plattPredict(map, 9)).toBeGreaterThan(0.7);
    expect(platt([1, 2, 3], [1, 1, 1])).toMatchObject({ slope: null, reason: 'NO_NEGATIVE_LABELS' });
  });

  it('are mapped by Platt below 50 labels and by isotonic regression from there', () => {
    expect(scoreMap(p.slice(0, 49), y.slice(0, 49)).kind).toBe('platt');
    const map = scoreMap(p, y);
    expect(map.kind).toBe('isotonic');
    const [low, high] = predictScores(map, [0.05, 0.95]);
    expect(high).toBeGreaterThan(low ?? 1);
  });

  it('have a map whose band holds it', () => {
    for (const { value, low, high } of scoreBand(p, y, [0.2, 0.5, 0.8], { seed: 4, B: 60 })) {
      expect(low).toBeLessThanOrEqual(value ?? -1);
      expect(high).toBeGreaterThanOrEqual(value ?? 2);
    }
  });

  it('cross-validate a pass mark below its in-sample kappa, on average', () => {
    const folds = p.map((_, item) => item % 10);
    expect(crossValidatedKappa(p, y, folds).kappa).toBeLessThanOrEqual(thresholdMaxKappa(p, y).kappa ?? 0);
    expect(crossValidatedKappa(p, y, folds).n).toBe(300);
    expect(crossValidatedPrecision(p, y, folds, { target: 0.8 }).precision).toBeGreaterThan(0.7);
  });
});

describe('conformal sets', () => {
  it('hold the human level as often as promised', () => {
    const random = randomStream(21);
    let held = 0;
    for (let draw = 0; draw < 2000; draw++) {
      const scores = Array.from({ length: 39 }, () => random.uniform());
      const { quantile } = conformalQuantile(scores, 0.1);
      if (quantile !== null && random.uniform() <= quantile) held++;
    }
    expect(held / 2000).toBeGreaterThan(0.88);
    expect(held / 2000).toBeLessThan(0.93);
  });

  it('keep every level when calibration is too small', () => {
    expect(conformalQuantile([0.1, 0.2], 0.1)).toMatchObject({
      quantile: null,
      reason: 'TOO_FEW_CALIBRATION',
    });
    expect(
      conformalSet(
        new Map([
          ['a', 0.9],
          ['b', 0.2],
        ]),
        null,
      ),
    ).toEqual(['a', 'b']);
    expect(
      conformalSet(
        new Map([
          ['a', 0.9],
          ['b', 0.2],
        ]),
        0.5,
      ),
    ).toEqual(['b']);
  });
});

describe('a judge among humans', () => {
  const random = randomStream(33);
  const truth = Array.from({ length: 60 }, () => Math.floor(random.uniform() * 3));
  const rater = (error: number) =>
    truth.map((level) => (random.uniform() < error ? Math.floor(random.uniform() * 3) : level));
  const humans = [rater(0.2), rater(0.2), rater(0.2)];
  const good = rater(0.05);
  const bad = rater(0.9);

  it('may replace them when it is nearer to them than they are to each other', () => {
    expect(altTest(humans, good).passes).toBe(true);
    expect(altTest(humans, bad)).toMatchObject({ passes: false, winningRate: 0 });
  });

  it('is not tested by one human, nor by too few items', () => {
    expect(altTest(humans.slice(0, 1), good)).toMatchObject({ winningRate: null, status: 'insufficient' });
    expect(altTest(humans, good, { minItems: 100 }).reason).toBe('TOO_FEW_CALIBRATION');
  });

  it('is tested by ranks where a human has fewer than 30 items', () => {
    const few = altTest(
      humans.map((labels) => labels.slice(0, 20)),
      good.slice(0, 20),
      { minItems: 10 },
    );
    expect(few.humans[0]?.method).toBe('wilcoxon');
    expect(few.notes[0]).toMatch(/Wilcoxon/);
  });

  it('reads numeric labels by distance', () => {
    expect(altTest(humans, good, { score: 'rmse' }).passes).toBe(true);
  });

  it('stands above or below the human ceiling', () => {
    expect(humanCeiling(humans, good).difference).toBeGreaterThan(0);
    expect(ceilingInterval(humans, good, { seed: 1, B: 300 }).verdict).toBe('as good as another human');
    expect(ceilingInterval(humans, bad, { seed: 1, B: 300 }).verdict).toBe('below the human ceiling');
    expect(humanCeiling(humans.slice(0, 1), good)).toMatchObject({ humanHuman: null, difference: null });
  });
});

describe('signed ranks', () => {
  it('give the exact tail', () => {
    expect(wilcoxonLess([-1, -2, -3, -4])).toBe(1 / 16);
    expect(wilcoxonLess([1, 2, 3])).toBe(1);
    expect(wilcoxonLess([-1, 1])).toBe(0.75);
    expect(wilcoxonLess([])).toBe(1);
  });
});

describe('label planning', () => {
  it('asks for more labels where failures are rare', () => {
    const plan = (rate: number) =>
      itemsForKappaHalfWidth({ kappa: 0.7, passRate1: rate, passRate2: rate }, { halfWidth: 0.1 }).n;
    expect([0.5, 0.7, 0.8, 0.9, 0.95].map(plan)).toEqual([196, 236, 314, 569, 1091]);
  });

  it('says when no table has the rates and the kappa', () => {
    const plan = { kappa: 0.8, passRate1: 0.8, passRate2: 0.7 };
    expect(itemsForKappaHalfWidth(plan, { halfWidth: 0.1 }).feasible).toBe(false);
    expect(itemsForKappaHalfWidth({ ...plan, kappa: 0.7 }, { halfWidth: 0.1 }).feasible).toBe(true);
  });

  it('of two levels is the same by shares', () => {
    const options = { halfWidth: 0.1, weights: 'unweighted' } as const;
    expect(itemsForWeightedHalfWidth({ kappa: 0.7, shares: [0.8, 0.2] }, options).n).toBe(314);
  });
});

describe('a judge upgrade', () => {
  const random = randomStream(44);
  const human = Array.from({ length: 150 }, () => (random.uniform() < 0.7 ? 'p' : 'f'));
  const judge = (error: number) =>
    human.map((label) => (random.uniform() < error ? (label === 'p' ? 'f' : 'p') : label));
  const [old, next] = [judge(0.25), judge(0.05)];

  it('is seen on the same items', () => {
    const change = dependentKappaDifference(human, old, next);
    expect(change.ci?.low).toBeGreaterThan(0);
    expect(change.p).toBeLessThan(0.01);
    expect(change.se).toBeGreaterThan(change.seLarge ?? 1);
  });

  it('to the same labels is no change, p 1', () => {
    expect(dependentKappaDifference(human, old, old)).toMatchObject({
      value: 0,
      p: 1,
      reason: 'NO_CHANGE_OBSERVED',
    });
  });

  it('has a sample size from a pilot', () => {
    expect(itemsForKappaDifference({ n: 100, se: 0.06 }, 0.1)).toBeGreaterThan(250);
  });

  it('of weighted labels is plain kappa where the weights are equal', () => {
    const { table } = contingencyTable(human, old);
    const weighted = weightedSampleKappa(
      human,
      old,
      human.map(() => 4),
    );
    const plain = cohenKappa(table);
    expect(weighted.value).toBeCloseTo(plain.value ?? 0, 12);
    expect(weighted.se).toBeCloseTo(plain.se ?? 0, 12);
    expect(weighted.ci?.low).toBeCloseTo(plain.ci?.low ?? 0, 10);
  });
});
