import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calibrationAllocation } from '../../../core/stats/calibration-allocation.ts';
import { chooseCorrection } from '../../../core/stats/choose-correction.ts';
import { confusionInversion, judgeGivenHuman } from '../../../core/stats/confusion-inversion.ts';
import { correctedPassRate } from '../../../core/stats/corrected-rate.ts';
import { hajekMean } from '../../../core/stats/hajek.ts';
import { inversionInterval } from '../../../core/stats/inversion-interval.ts';
import { mean } from '../../../core/stats/moments.ts';
import { postStratified } from '../../../core/stats/post-stratified.ts';
import { ppiMean, ppiStratified } from '../../../core/stats/ppi.ts';
import { roganGladen } from '../../../core/stats/rogan-gladen.ts';

describe('Rogan-Gladen', () => {
  it('is the inversion of a confusion of two levels', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 30, max: 50 }),
        fc.integer({ min: 30, max: 50 }),
        fc.nat(200),
        (tp, tn, x) => {
          const { value } = roganGladen({ x, n: 200, tp, nPos: 50, tn, nNeg: 50 });
          const given = judgeGivenHuman([
            [tp, 50 - tp],
            [50 - tn, tn],
          ]);
          const { pi } = confusionInversion(given ?? [], [x / 200, 1 - x / 200]);
          expect(pi?.[0]).toBeCloseTo(value ?? -1, 4);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('does not exist for a judge no better than chance', () => {
    const counts = { x: 5, n: 10, tp: 5, nPos: 10, tn: 5, nNeg: 10 };
    expect(roganGladen(counts)).toMatchObject({
      value: null,
      ci: null,
      reason: 'JUDGE_NOT_BETTER_THAN_CHANCE',
    });
  });

  it('decides nothing from a few labels', () => {
    expect(roganGladen({ x: 60, n: 100, tp: 3, nPos: 4, tn: 3, nNeg: 4 }).status).toBe('insufficient');
  });

  it('says when labels and data cannot come from the same judge', () => {
    const { value, thetaRaw, notes } = roganGladen({ x: 97, n: 100, tp: 45, nPos: 50, tn: 40, nNeg: 50 });
    expect(value).toBe(1);
    expect(thetaRaw).toBeGreaterThan(1);
    expect(notes[0]).toMatch(/outside what TPR and TNR allow/);
  });

  it('splits labels so that at least ten measure each rate', () => {
    const { nPos, nNeg } = calibrationAllocation(60, { p: 0.95, tpr: 0.9, tnr: 0.999 });
    expect(nPos + nNeg).toBe(60);
    expect(Math.min(nPos, nNeg)).toBe(10);
  });
});

describe('corrected pass rate', () => {
  const pass = { labelled: 62, passed: 58, unlabelled: 620 };
  const fail = { labelled: 38, passed: 9, unlabelled: 380 };

  it('does not change when a verdict is split into strata of the same rates', () => {
    const half = { labelled: 31, passed: 29, unlabelled: 310 };
    expect(correctedPassRate([half, half, fail]).value).toBeCloseTo(
      correctedPassRate([pass, fail]).value ?? 0,
      12,
    );
  });

  it('has an interval even where a verdict has no label', () => {
    const none = correctedPassRate([pass, { labelled: 0, passed: 0, unlabelled: 40 }]);
    expect(none).toMatchObject({ value: null, status: 'insufficient', reason: 'TOO_FEW_CALIBRATION' });
    expect(none.ci?.high).toBeLessThanOrEqual(1);
  });
});

describe('choice of a correction', () => {
  const enough = { byVerdict: [60, 40], byHuman: [70, 30] };

  it('goes by how labels were drawn', () => {
    expect(chooseCorrection('random', 'rate', enough).correction).toBe('corrected-rate');
    expect(chooseCorrection('random', 'score', enough).correction).toBe('ppi');
    expect(chooseCorrection('random-within-verdict', 'rate', enough).correction).toBe('corrected-rate');
    expect(chooseCorrection('elsewhere', 'rate', enough).correction).toBe('rogan-gladen');
    expect(chooseCorrection('elsewhere', 'score', enough).correction).toBe('confusion-inversion');
    expect(chooseCorrection('weighted', 'rate', enough).correction).toBe('weighted-mean');
  });

  it('refuses where that is not recorded', () => {
    expect(chooseCorrection('unknown', 'rate', enough)).toMatchObject({ correction: null });
  });

  it('falls back where failures are too few', () => {
    const noFailVerdicts = { byVerdict: [50, 0], byHuman: [49, 1] };
    expect(chooseCorrection('random', 'rate', noFailVerdicts)).toMatchObject({
      correction: 'labels-only',
      fallback: true,
    });
    expect(chooseCorrection('elsewhere', 'rate', noFailVerdicts)).toMatchObject({
      correction: null,
      fallback: true,
    });
  });
});

describe('prediction-powered mean', () => {
  const y = [1, 2, 5, 4, 3, 5, 4, 2, 1, 5, 3, 4, 5, 2, 3, 4, 4, 5, 1, 3, 2];
  const yhat = [1, 3, 5, 4, 4, 5, 4, 3, 2, 5, 3, 4, 4, 2, 3, 5, 4, 5, 2, 3, 2];

  it('without the judge is the mean of the labels', () => {
    expect(ppiMean({ y, yhat, yhatUnlabeled: [1, 2, 3] }, { lambda: 0 }).value).toBeCloseTo(mean(y), 12);
    expect(ppiMean({ y, yhat, yhatUnlabeled: [] }).value).toBeCloseTo(mean(y), 12);
  });

  it('is narrower with a good judge than without', () => {
    const yhatUnlabeled = Array.from({ length: 400 }, (_, item) => 1 + (item % 5));
    const [with_, without] = [
      ppiMean({ y, yhat, yhatUnlabeled }),
      ppiMean({ y, yhat, yhatUnlabeled }, { lambda: 0 }),
    ];
    expect(with_.se).toBeLessThan(without.se ?? 0);
  });

  it('asks for weights that sum to 1', () => {
    expect(() => ppiStratified([{ y, yhat, yhatUnlabeled: [3], weight: 0.5 }])).toThrow(/sum to 1/);
  });
});

describe('confusion inversion', () => {
  it('refuses levels that the judge cannot tell apart', () => {
    const same = [
      [0.5, 0.5],
      [0.5, 0.5],
    ];
    expect(confusionInversion(same, [0.4, 0.6])).toMatchObject({ pi: null, reason: 'SINGULAR_CONFUSION' });
    expect(
      judgeGivenHuman([
        [5, 1],
        [0, 0],
      ]),
    ).toBeNull();
  });

  it('has an interval that resamples labels and verdicts together', () => {
    const result = inversionInterval(
      [
        [40, 10],
        [5, 45],
      ],
      [300, 200],
      [1, 0],
      { seed: 2, B: 400 },
    );
    expect(result.value).toBeCloseTo((0.6 - 0.1) / 0.7, 10);
    expect(result.ci?.low).toBeLessThan(result.value ?? 0);
    expect(result.ci?.high).toBeGreaterThan(result.value ?? 1);
  });
});

describe('samples of unequal probability', () => {
  it('with equal probabilities are plain means', () => {
    const y = [1, 0, 1, 1, 0, 1];
    const equal = hajekMean(
      y,
      y.map(() => 0.3),
    );
    expect(equal.value).toBeCloseTo(mean(y), 12);
    expect(equal.kishN).toBeCloseTo(6, 9);
  });

  it('warn when few items carry the weight', () => {
    expect(hajekMean([1, 0, 1, 1], [0.01, 0.9, 0.9, 0.9]).notes[0]).toMatch(/effective size of 1\.\d of 4/);
  });

  it('pool a stratum with one label, and refuse one with none', () => {
    const sizes = new Map([
      ['low', 10],
      ['mid', 50],
      ['high', 40],
    ]);
    const y = [0, 1, 1, 0, 1, 1];
    const stratum = ['low', 'mid', 'mid', 'mid', 'high', 'high'];
    expect(postStratified(y, stratum, sizes)).toMatchObject({
      status: 'ok',
      notes: ['strata with one label are pooled with a neighbour'],
    });
    expect(postStratified(y.slice(0, 4), stratum.slice(0, 4), sizes)).toMatchObject({
      value: null,
      reason: 'TOO_FEW_CALIBRATION',
    });
  });
});
