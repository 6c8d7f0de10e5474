import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { adjustP } from '../../../core/stats/adjust-p.ts';
import { flakyTasks } from '../../../core/stats/flaky-tasks.ts';
import { hardRule } from '../../../core/stats/hard-rule.ts';
import { mcnemar, pairedDifference } from '../../../core/stats/mcnemar.ts';
import { holmGates, nonInferiorityGate } from '../../../core/stats/non-inferiority.ts';
import { pairedTask, pairTasks } from '../../../core/stats/paired-task.ts';
import { passAtK, passHatK } from '../../../core/stats/pass-k.ts';
import { minimumDetectableEffect, tasksForDelta } from '../../../core/stats/power.ts';
import { ratioGate } from '../../../core/stats/ratio-gate.ts';
import { signFlip, signFlipExact } from '../../../core/stats/sign-flip.ts';
import { stratifiedPaired } from '../../../core/stats/stratified-paired.ts';
import { suiteInterval } from '../../../core/stats/suite-interval.ts';
import { suitePassHat } from '../../../core/stats/suite-t.ts';
import { wilson, zeroEventsUpper } from '../../../core/stats/wilson.ts';

const trials = fc.array(fc.array(fc.constantFrom(0, 1), { minLength: 2, maxLength: 5 }), {
  minLength: 2,
  maxLength: 15,
});

describe('Wilson interval', () => {
  it('holds the proportion, mirrors and grows with successes', () => {
    fc.assert(
      fc.property(fc.nat(300), fc.integer({ min: 1, max: 300 }), (a, n) => {
        const x = a % (n + 1);
        const { ci, value } = wilson(x, n);
        const mirror = wilson(n - x, n).ci;
        expect(ci?.low).toBeLessThanOrEqual(value ?? 0);
        expect(ci?.high).toBeGreaterThanOrEqual(value ?? 1);
        expect(ci?.low).toBeCloseTo(1 - (mirror?.high ?? 0), 12);
        if (x < n) expect(wilson(x + 1, n).ci?.low).toBeGreaterThan(ci?.low ?? 1);
      }),
    );
  });

  it('ends exactly at 0 and 1', () => {
    expect(wilson(0, 20).ci?.low).toBe(0);
    expect(wilson(20, 20).ci?.high).toBe(1);
  });

  it('bounds what 300 clean runs prove below one percent', () => {
    expect(zeroEventsUpper(300).ci?.high).toBeCloseTo(0.00994, 5);
  });
});

describe('pass^k and pass@k', () => {
  it('start at the pass rate; one falls with k, the other rises', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.nat(12), (n, some) => {
        const c = Math.min(some, n);
        const hats = Array.from({ length: n }, (_, k) => passHatK(n, c, k + 1).value ?? -1);
        const ats = Array.from({ length: n }, (_, k) => passAtK(n, c, k + 1).value ?? -1);
        expect(hats[0]).toBeCloseTo(c / n, 12);
        expect(ats[0]).toBeCloseTo(c / n, 12);
        for (let k = 1; k < n; k++) {
          expect(hats[k]).toBeLessThanOrEqual((hats[k - 1] ?? 0) + 1e-12);
          expect(ats[k]).toBeGreaterThanOrEqual((ats[k - 1] ?? 0) - 1e-12);
        }
      }),
    );
  });
});

describe('suite interval', () => {
  it('does not depend on the order of tasks', () => {
    fc.assert(
      fc.property(trials, (tasks) => {
        const [there, back] = [suiteInterval(tasks, 2), suiteInterval([...tasks].reverse(), 2)];
        expect(back.value).toBeCloseTo(there.value ?? -1, 12);
        expect(back.ci?.low).toBeCloseTo(there.ci?.low ?? -1, 10);
        expect(back.ci?.high).toBeCloseTo(there.ci?.high ?? -1, 10);
      }),
    );
  });

  it('says how little an all-pass suite of 12 tasks proves', () => {
    const all = Array.from({ length: 12 }, () => [1, 1, 1, 1, 1]);
    expect(suiteInterval(all).ci?.low).toBeCloseTo(0.712, 3);
  });

  it('leaves errored trials out and reports them', () => {
    const stat = suiteInterval([
      [1, 0, null],
      [1, null, null],
      [null, null],
    ]);
    expect(stat).toMatchObject({ n: 2, nMissing: 5, trials: 3, value: 0.75 });
    expect(stat.notes).toEqual(['1 tasks have no trial that counts and are left out']);
  });

  it('refuses a k that some task cannot give', () => {
    expect(
      suiteInterval(
        [
          [1, 1, 1],
          [1, null, null],
        ],
        2,
      ),
    ).toMatchObject({ value: null, reason: 'K_EXCEEDS_TRIALS' });
  });

  it('of one task speaks of that task only', () => {
    const stat = suiteInterval([[1, 1, 0, 1]]);
    expect(stat).toMatchObject({ status: 'insufficient', reason: 'TOO_FEW_TASKS', value: 0.75 });
    expect(stat.ci?.method).toBe('wilson, this task only');
    expect(stat.notes).toContain('this task only');
  });

  it('is wider than the published t interval where that one is too narrow', () => {
    const nearlyAll = [...Array.from({ length: 9 }, () => [1, 1, 1, 1]), [1, 1, 1, 0]];
    const [ours, published] = [suiteInterval(nearlyAll).ci, suitePassHat(nearlyAll).ci];
    expect(ours?.low).toBeLessThan(published?.low ?? 0);
  });
});

describe('flaky tasks', () => {
  it('are those with passes and failures, the flakiest first', () => {
    const found = flakyTasks([[1, 1, 1], [1, 1, 1, 0], [0, 0], [1, 0, null], [null]]);
    expect(found.map(({ task, rate }) => [task, rate.n])).toEqual([
      [3, 2],
      [1, 4],
    ]);
  });
});

describe('two versions', () => {
  it('are paired by task; what one run lacks is listed, never imputed', () => {
    const paired = pairTasks(
      new Map([
        ['a', 1],
        ['b', 0],
      ]),
      new Map([
        ['b', 1],
        ['c', 1],
      ]),
    );
    expect(paired).toMatchObject({ ids: ['b'], onlyBaseline: ['a'], onlyCandidate: ['c'] });
    expect(paired.overlap).toBeCloseTo(1 / 3, 12);
  });

  it('report candidate less baseline', () => {
    const table = [
      [30, 9],
      [3, 8],
    ];
    expect(pairedDifference(table).value).toBeCloseTo(-0.12, 12);
    expect(mcnemar(table)).toMatchObject({ onlyA: 9, onlyB: 3, n: 50 });
    expect(pairedTask([1, 1, 0.5], [0.5, 1, 0]).value).toBeCloseTo(-1 / 3, 12);
  });

  it('that do not differ anywhere show no change, not a zero-width interval', () => {
    expect(pairedTask([1, 0.5], [1, 0.5])).toMatchObject({
      value: 0,
      ci: null,
      reason: 'NO_CHANGE_OBSERVED',
    });
  });

  it('cannot be told apart by four tasks, and say so', () => {
    expect(signFlipExact([-0.2, -0.4, -0.1, -0.3]).smallestP).toBe(0.125);
  });

  it('sign flips: exact and Monte Carlo agree', () => {
    const d = [0.2, -0.1, 0.4, 0.3, -0.2, 0.1, 0.5, 0.2, -0.3, 0.1, 0.2, 0.3, -0.1, 0.2, 0.1, 0.2, 0.1];
    const exact = signFlipExact(d);
    const random = signFlip(d, { seed: 3, B: 20000 });
    expect(random.method).toBe('monte-carlo');
    expect(random.pTwo).toBeCloseTo(exact.pTwo, 2);
    expect(random.pLess).toBeCloseTo(exact.pLess, 2);
  });

  it('weigh strata by their use, not by their number of tasks', () => {
    const easy = { weight: 1, d: [0, 0, 0, 0.1, -0.1, 0, 0, 0] };
    const hard = { weight: 1, d: [-0.4, -0.5, -0.6] };
    const stat = stratifiedPaired([easy, hard], { seed: 1 });
    expect(stat.value).toBeCloseTo(-0.25, 12);
    expect(stat.p).toBeLessThan(0.01);
    expect(stat.signFlip?.pLess).toBeLessThan(0.2);
  });

  it('with one stratum are a plain paired t', () => {
    const d = [0.1, -0.2, 0.3, 0.4, 0];
    const plain = pairedTask(
      d.map(() => 0),
      d,
    );
    expect(stratifiedPaired([{ weight: 3, d }], { seed: 1 })).toMatchObject({
      t: plain.t,
      df: 4,
      p: plain.p,
    });
  });
});

describe('gate', () => {
  const steady = (value: number, n = 60) =>
    Array.from({ length: n }, (_, task) => value + (task % 2 === 0 ? 0.02 : -0.02));

  it('passes, fails or does neither, by what is proven', () => {
    expect(nonInferiorityGate(steady(0), { margin: 0.05, trials: 5 }).decision).toBe('pass');
    expect(nonInferiorityGate(steady(-0.1), { margin: 0.05, trials: 5 }).decision).toBe('fail');
    expect(nonInferiorityGate([0.5, -0.5, 0.4, -0.4], { margin: 0.05, trials: 5 }).decision).toBe(
      'inconclusive',
    );
  });

  it('passes a proven drop within the margin, and says so', () => {
    const gate = nonInferiorityGate(steady(-0.01), { margin: 0.05, trials: 25 });
    expect(gate).toMatchObject({ decision: 'pass', notes: ['DROP_WITHIN_MARGIN'] });
  });

  it('does not let 19 tasks certify a margin of 5 points', () => {
    const few = nonInferiorityGate(steady(0.01, 19), { margin: 0.05, trials: 1000 });
    expect(few).toMatchObject({ decision: 'inconclusive', reason: 'TOO_FEW_TASKS' });
    expect(nonInferiorityGate(steady(0.01, 20), { margin: 0.05, trials: 1000 }).decision).toBe('pass');
  });

  it('says that its suite is too small for its margin', () => {
    const gate = nonInferiorityGate(
      Array.from({ length: 10 }, () => 0),
      { margin: 0.05, trials: 1 },
    );
    expect(gate.notes).toContain('MARGIN_BELOW_DETECTABLE');
    expect(gate.mde).toBeGreaterThan(0.05);
  });

  it('takes back a failure that does not survive Holm', () => {
    const barely = nonInferiorityGate([-0.4, -0.2, 0, 0, 0, 0, 0, -0.4, -0.2, -0.2, -0.2, 0.2], {
      margin: 0.05,
      trials: 5,
    });
    const fine = nonInferiorityGate(steady(0), { margin: 0.05, trials: 5 });
    expect(barely).toMatchObject({ decision: 'fail' });
    expect(holmGates([barely]).map(({ decision }) => decision)).toEqual(['fail']);
    const judged = holmGates([barely, fine, fine, fine]);
    expect(judged.map(({ decision }) => decision)).toEqual(['inconclusive', 'pass', 'pass', 'pass']);
  });

  it('bounds a cost ratio and lists tasks without a cost', () => {
    const before = Array.from({ length: 30 }, (_, task) => 1 + (task % 3));
    const after = before.map((cost, task) => cost * (task % 2 === 0 ? 1.01 : 1.03));
    expect(ratioGate([...before, 0], [...after, 2], { budget: 1.1 })).toMatchObject({
      decision: 'pass',
      excluded: [30],
    });
    expect(
      ratioGate(
        before,
        after.map((cost) => cost * 1.3),
        { budget: 1.1 },
      ).decision,
    ).toBe('fail');
    expect(ratioGate(before, after, { budget: 1.1 }).ratio).toBeCloseTo(1.02, 2);
  });

  it('needs no statistics where harm was done', () => {
    expect(hardRule(1, 500).decision).toBe('fail');
    expect(hardRule(0, 300).rate?.ci?.high).toBeLessThan(0.01);
    expect(hardRule(0, 0).decision).toBe('inconclusive');
  });
});

describe('power', () => {
  it('and sample size undo each other', () => {
    const noise = { omega2: 0.04, sigmaA2: 0.12, kA: 5, sigmaB2: 0.12, kB: 5 };
    const { n } = tasksForDelta({ ...noise, delta: 0.05 });
    expect(n).toBe(277);
    expect(minimumDetectableEffect({ ...noise, tasks: n })).toBeLessThanOrEqual(0.05);
    expect(minimumDetectableEffect({ ...noise, tasks: n - 1 })).toBeGreaterThan(0.05);
  });
});

describe('adjusted p', () => {
  it('never falls below the p, and Holm is never below Benjamini-Hochberg', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 }), (p) => {
        const { holm, bh } = adjustP(p);
        p.forEach((value, index) => {
          expect(bh[index]).toBeGreaterThanOrEqual(value - 1e-12);
          expect(holm[index]).toBeGreaterThanOrEqual((bh[index] ?? 0) - 1e-12);
        });
      }),
    );
  });
});
