import { describe, expect, it } from 'vitest';
import { gwetAC } from '../../../core/stats/chance.ts';
import { correctedPassRate } from '../../../core/stats/corrected-rate.ts';
import { betaQuantile } from '../../../core/stats/distribution.ts';
import { cohenKappa } from '../../../core/stats/kappa.ts';
import { pairedDifference } from '../../../core/stats/mcnemar.ts';
import { nonInferiorityGate } from '../../../core/stats/non-inferiority.ts';
import { type RandomStream, randomStream } from '../../../core/stats/random.ts';
import { roganGladen } from '../../../core/stats/rogan-gladen.ts';
import type { Interval } from '../../../core/stats/stat.ts';
import { suiteInterval } from '../../../core/stats/suite-interval.ts';
import { wilson } from '../../../core/stats/wilson.ts';

const SAMPLES = 1000;

/** Share of samples whose interval holds the truth; a sample without an interval does not count. */
function coverage(seed: number, truth: number, sample: (random: RandomStream) => Interval | null): number {
  const random = randomStream(seed);
  let [held, counted] = [0, 0];
  for (let s = 0; s < SAMPLES; s++) {
    const ci = sample(random);
    if (ci === null) continue;
    counted++;
    if (ci.low <= truth && truth <= ci.high) held++;
  }
  return held / counted;
}

/** Draws n items over cells of these shares. */
function draw(shares: readonly number[], n: number, random: RandomStream): number[] {
  const counts = shares.map(() => 0);
  for (let item = 0; item < n; item++) {
    let left = random.uniform();
    const cell = shares.findIndex((share) => {
      left -= share;
      return left < 0;
    });
    const at = cell < 0 ? shares.length - 1 : cell;
    counts[at] = (counts[at] ?? 0) + 1;
  }
  return counts;
}

function square(counts: readonly number[], q: number): number[][] {
  return Array.from({ length: q }, (_, row) => counts.slice(row * q, (row + 1) * q));
}

/** A table of two raters with these shares each and this kappa, whatever its weights. */
function mixed(kappa: number, shares: readonly number[]): number[] {
  return shares.flatMap((row, i) =>
    shares.map((column, j) => (1 - kappa) * row * column + (i === j ? kappa * row : 0)),
  );
}

/** True pass rates of tasks: Beta with correlation .5 between two trials of a task. */
function taskRates(rate: number): number[] {
  return Array.from({ length: 200 }, (_, index) => betaQuantile((index + 0.5) / 200, rate, 1 - rate));
}

describe('default intervals hold the truth in at least .92 of samples at 95 %', () => {
  it.each([
    [0.8, 50],
    [0.95, 100],
  ])('Wilson, rate %f, n %i', (rate, n) => {
    expect(
      coverage(1, rate, (random) => wilson(draw([rate, 1 - rate], n, random)[0] ?? 0, n).ci),
    ).toBeGreaterThan(0.92);
  });

  it.each([
    [10, 0.8],
    [20, 0.95],
  ])('suite of %i tasks, rate %f, 5 trials', (tasks, rate) => {
    const rates = taskRates(rate);
    const truth = rates.reduce((sum, p) => sum + p, 0) / rates.length;
    const sample = (random: RandomStream) => {
      const trials = Array.from({ length: tasks }, () => {
        const p = rates[random.index(rates.length)] ?? 0;
        return Array.from({ length: 5 }, () => (random.uniform() < p ? 1 : 0));
      });
      return suiteInterval(trials).ci;
    };
    expect(coverage(2, truth, sample)).toBeGreaterThan(0.92);
  });

  it.each([
    [50, 0.8, 0.9],
    [100, 0.5, 0.7],
  ])('kappa and AC1, n %i, pass rate %f, kappa %f', (n, rate, kappa) => {
    const shares = mixed(kappa, [rate, 1 - rate]);
    const sample = (random: RandomStream) => cohenKappa(square(draw(shares, n, random), 2)).ci;
    expect(coverage(3, kappa, sample)).toBeGreaterThan(0.92);
    const ac1 = gwetAC(square(shares, 2)).value ?? 0;
    expect(coverage(4, ac1, (random) => gwetAC(square(draw(shares, n, random), 2)).ci)).toBeGreaterThan(0.91);
  });

  it.each([
    [120, 0.7],
    [200, 0.85],
  ])('quadratic kappa, errors spread over all levels (the hardest case), n %i, kappa %f', (n, kappa) => {
    const shares = mixed(kappa, [0.1, 0.2, 0.3, 0.25, 0.15]);
    const sample = (random: RandomStream) =>
      cohenKappa(square(draw(shares, n, random), 5), { weights: 'quadratic' }).ci;
    expect(coverage(5, kappa, sample)).toBeGreaterThan(0.92);
  });

  it.each([
    [0.8, 0.9, 0.8],
    [0.95, 0.9, 0.7],
  ])('corrected pass rate %f, TPR %f, TNR %f', (rate, tpr, tnr) => {
    const shares = [rate * tpr, (1 - rate) * (1 - tnr), rate * (1 - tpr), (1 - rate) * tnr];
    const sample = (random: RandomStream) => {
      const [a = 0, b = 0, c = 0, d = 0] = draw(shares, 100, random);
      const [pass = 0, fail = 0] = draw(
        [rate * tpr + (1 - rate) * (1 - tnr), rate * (1 - tpr) + (1 - rate) * tnr],
        900,
        random,
      );
      const cells = [
        { labelled: a + b, passed: a, unlabelled: pass },
        { labelled: c + d, passed: c, unlabelled: fail },
      ];
      return correctedPassRate(cells).ci;
    };
    expect(coverage(6, rate, sample)).toBeGreaterThan(0.92);
  });

  it.each([
    [0.8, 0.9, 0.8],
    [0.6, 0.95, 0.9],
  ])('Rogan-Gladen %f, TPR %f, TNR %f, labels from elsewhere', (rate, tpr, tnr) => {
    const judged = rate * tpr + (1 - rate) * (1 - tnr);
    const count = (p: number, n: number, random: RandomStream) => draw([p, 1 - p], n, random)[0] ?? 0;
    const sample = (random: RandomStream) =>
      roganGladen({
        x: count(judged, 500, random),
        n: 500,
        tp: count(tpr, 50, random),
        nPos: 50,
        tn: count(tnr, 50, random),
        nNeg: 50,
      }).ci;
    expect(coverage(7, rate, sample)).toBeGreaterThan(0.92);
  });

  it.each([
    [30, 0.1, 0.05],
    [100, 0.1, 0.2],
  ])('paired difference, n %i, only A %f, only B %f', (n, onlyA, onlyB) => {
    const shares = [(1 - onlyA - onlyB) / 2, onlyA, onlyB, (1 - onlyA - onlyB) / 2];
    const sample = (random: RandomStream) => pairedDifference(square(draw(shares, n, random), 2)).ci;
    expect(coverage(8, onlyB - onlyA, sample)).toBeGreaterThan(0.92);
  });
});

describe('the gate', () => {
  it('fails few unchanged versions and passes few that dropped by its margin', () => {
    const random = randomStream(9);
    const rates = taskRates(0.8);
    const run = (drop: number) => {
      const decisions = Array.from({ length: 400 }, () => {
        const d = Array.from({ length: 30 }, () => {
          const p = rates[random.index(rates.length)] ?? 0;
          const passes = (rate: number) => draw([rate, 1 - rate], 5, random)[0] ?? 0;
          return (passes(Math.max(0, p - drop)) - passes(p)) / 5;
        });
        return nonInferiorityGate(d, { margin: 0.05, trials: 5 }).decision;
      });
      return (kind: string) => decisions.filter((decision) => decision === kind).length / decisions.length;
    };
    expect(run(0)('fail')).toBeLessThan(0.08);
    expect(run(0.06)('pass')).toBeLessThan(0.08);
    expect(run(0.3)('fail')).toBeGreaterThan(0.9);
  });
});
