import { describe, expect, it } from 'vitest';
import { biasFlags, biasMeasure } from '../../../core/stats/bias-flag.ts';
import { centralTendency } from '../../../core/stats/central-tendency.ts';
import { leniency } from '../../../core/stats/leniency.ts';
import { logisticRegression } from '../../../core/stats/logistic.ts';
import { levelColumns, partialCorrelation } from '../../../core/stats/partial-correlation.ts';
import { orderConflict, positionBias, positionChiSquare } from '../../../core/stats/position.ts';
import { proportionDifference } from '../../../core/stats/proportion-difference.ts';
import { randomStream } from '../../../core/stats/random.ts';
import { rubricOrder } from '../../../core/stats/rubric-order.ts';
import { familyCells, selfPreference, selfPreferenceInterval } from '../../../core/stats/self-preference.ts';
import { pairwiseVerbosity } from '../../../core/stats/verbosity.ts';

const counts = { consistentA: 40, consistentB: 35, firstBoth: 18, secondBoth: 5, mixedWithTie: 2 };

describe('position bias', () => {
  it('is the net shift; noise alone raises conflict but no shift', () => {
    const noisy = positionBias({ ...counts, firstBoth: 12, secondBoth: 12 });
    expect(noisy.conflictRate.value).toBeGreaterThan(0.2);
    expect(noisy.netShift.value).toBe(0);
    expect(noisy.p).toBe(1);
  });

  it('has no share of the first slot where no slot won twice', () => {
    const fair = positionBias({ ...counts, firstBoth: 0, secondBoth: 0 });
    expect(fair.firstShare).toMatchObject({ value: null, reason: 'EMPTY' });
  });

  it('subtracts what the judge does to itself in the same order', () => {
    expect(orderConflict({ conflictOnly: 20, repeatOnly: 5, n: 100 }).value).toBeCloseTo(0.15, 12);
  });

  it('over many slots has an effect size', () => {
    expect(positionChiSquare([25, 25, 25, 25])).toMatchObject({ chi2: 0, p: 1, effect: 0 });
    expect(positionChiSquare([100, 0, 0, 0]).effect).toBeCloseTo(1, 12);
  });
});

describe('verbosity', () => {
  const random = randomStream(12);
  const pairs = Array.from({ length: 200 }, (_, item) => {
    const human = Math.floor(random.uniform() * 3) - 1;
    const length = random.uniform() * 2 - 1;
    const odds = Math.exp(1.2 * human + 1.5 * length);
    return { item, human, length, y: random.uniform() < odds / (1 + odds) ? 1 : 0 };
  });
  const verdicts = {
    y: pairs.map(({ y }) => y),
    human: pairs.map(({ human }) => human),
    logLengthRatio: pairs.map(({ length }) => length),
    position: pairs.map(({ item }) => (item % 2 === 0 ? 1 : -1)),
    item: pairs.map(({ item }) => item),
  };

  it('finds a judge that likes length, at equal human preference', () => {
    const found = pairwiseVerbosity(verdicts, { seed: 1 });
    expect(found.value).toBeGreaterThan(0.05);
    expect(found.p).toBeLessThan(0.001);
    expect(found.ci?.low).toBeGreaterThan(0);
    expect(found.oddsRatioPerDoubling).toBeGreaterThan(1.5);
  });

  it('survives verdicts that length decides alone, and says that it did', () => {
    const alone = { ...verdicts, y: verdicts.logLengthRatio.map((length) => (length > 0 ? 1 : 0)) };
    const few = Object.fromEntries(Object.entries(alone).map(([key, column]) => [key, column.slice(0, 40)]));
    const found = pairwiseVerbosity({ ...alone, ...few }, { seed: 1, B: 99 });
    expect(found).toMatchObject({ regularised: true, status: 'degenerate', reason: 'SEPARATION', ci: null });
    expect(found.value).toBeGreaterThan(0.1);
    expect(found.p).toBeLessThan(0.05);
  });

  it('of single scores is what is left after the human score', () => {
    const human = Array.from({ length: 60 }, (_, item) => 1 + (item % 5));
    const tokens = human.map((level, item) => level + ((item * 7) % 11) / 3);
    const fair = human.map((level, item) => level + ((item * 5) % 7) / 7);
    const columns = human.map((level) => [level]);
    expect(Math.abs(partialCorrelation(fair, tokens, columns).value ?? 1)).toBeLessThan(0.2);
    const wordy = fair.map((level, item) => level + (tokens[item] ?? 0));
    expect(partialCorrelation(wordy, tokens, columns).value).toBeGreaterThan(0.9);
    expect(partialCorrelation(wordy, tokens, levelColumns(human)).df).toBe(54);
    expect(partialCorrelation(human, tokens, columns)).toMatchObject({
      value: null,
      reason: 'ZERO_VARIANCE',
    });
  });

  it('asks for ten events a coefficient', () => {
    const y = [1, 0, 1, 0, 1, 1, 0, 0];
    const fit = logisticRegression(
      y,
      y.map((_, item) => [item % 3]),
    );
    expect(fit).toMatchObject({ status: 'insufficient', notes: ['fewer than 10 events a coefficient'] });
  });
});

describe('self-preference', () => {
  const answers = Array.from({ length: 120 }, (_, index) => {
    const judgeFamily = index % 2 === 0 ? 'g' : 'c';
    const authorFamily = index % 4 < 2 ? 'g' : 'c';
    const own = judgeFamily === authorFamily && judgeFamily === 'g';
    return {
      item: `i${Math.floor(index / 2)}`,
      judgeFamily,
      authorFamily,
      residual: (own ? 0.5 : 0) + (index % 5) / 10,
    };
  });

  it('is a difference in differences: leniency and quality cancel', () => {
    const cells = familyCells(answers);
    const lenient = cells.map((cell) => ({
      ...cell,
      residuals: cell.residuals.map((r) => r + (cell.judgeFamily === 'g' ? 1 : 0)),
    }));
    const bias = selfPreference(cells, 'g');
    expect(bias.value).toBeCloseTo(0.5, 1);
    expect(selfPreference(lenient, 'g').value).toBeCloseTo(bias.value ?? 0, 10);
    expect(bias.status).toBe('ok');
  });

  it('resamples items that several judges scored', () => {
    const interval = selfPreferenceInterval(answers, 'g', { seed: 3, B: 300 });
    expect(interval.ci?.low).toBeGreaterThan(0.3);
  });

  it('of one judge family does not exist', () => {
    const alone = familyCells(answers.filter(({ judgeFamily }) => judgeFamily === 'g'));
    expect(selfPreference(alone, 'g')).toMatchObject({ value: null, reason: 'EMPTY' });
  });

  it('as equal opportunity compares two rates', () => {
    expect(proportionDifference({ x: 56, n: 70 }, { x: 48, n: 80 }).ci?.low).toBeCloseTo(0.0524, 3);
  });
});

describe('level and spread of scores', () => {
  const human = Array.from({ length: 80 }, (_, item) => 1 + (item % 5));
  const middling = human.map((score, item) => 3 + (score - 3) * 0.5 + ((item * 3) % 4) / 10);

  it('shows leniency in units and as a share of the range', () => {
    expect(
      leniency(
        human.map((score) => score + 0.5),
        human,
        { range: 4 },
      ),
    ).toMatchObject({ value: 0.5, shareOfRange: 0.125 });
  });

  it('finds a judge that crowds the middle', () => {
    const found = centralTendency(middling, human, [1, 5], { seed: 1, B: 300 });
    expect(found.logRatio.value).toBeLessThan(Math.log(0.6));
    expect(found.logRatio.ci?.high).toBeLessThan(0);
    expect(found.test.p).toBeLessThan(0.001);
    expect(found.slope).toBeLessThan(0.6);
    expect(found.extremesHuman.value).toBeCloseTo(0.4, 12);
    expect(found.extremesJudge.value).toBe(0);
  });

  it('compares the order of rubric levels with plain repetition', () => {
    const down = human.map((score, item) => (item % 4 === 0 ? Math.min(5, score + 1) : score));
    const order = rubricOrder(human, down, { range: 4, seed: 2, repeat: human });
    expect(order.effect.value).toBeGreaterThan(0);
    expect(order.test.pGreater).toBeLessThan(0.01);
    expect(order.orderStability.value).toBeLessThan(order.repeatStability?.value ?? 0);
  });
});

describe('bias flags', () => {
  const measure = (value: number, noise: number, n: number) =>
    Array.from({ length: n }, (_, item) => value + (item % 2 === 0 ? noise : -noise));
  const flagged = (d: number[]) => {
    const p = leniency(
      d,
      d.map(() => 0),
    ).p;
    return biasMeasure(
      'leniency',
      (level) =>
        leniency(
          d,
          d.map(() => 0),
          { level },
        ),
      p,
    );
  };

  it('call a bias only what is both large and proven', () => {
    const [large, trivial, noisy, clean] = biasFlags([
      flagged(measure(0.2, 0.1, 60)),
      flagged(measure(0.02, 0.01, 400)),
      flagged(measure(0.08, 0.9, 20)),
      flagged(measure(0, 0.05, 200)),
    ]);
    expect(large?.flag).toBe('biased');
    expect(trivial?.flag).toBe('clear');
    expect(trivial?.pAdjusted).toBeLessThan(0.001);
    expect(noisy?.flag).toBe('inconclusive');
    expect(noisy?.itemsNeeded).toBeGreaterThan(20);
    expect(clean).toMatchObject({ flag: 'clear', itemsNeeded: null });
  });

  it('adjust over everything that is shown together', () => {
    const borderline = { ...flagged(measure(0.2, 0.1, 60)), p: 0.04 };
    expect(biasFlags([borderline])[0]?.flag).toBe('biased');
    const many = Array.from({ length: 9 }, () => ({ ...flagged(measure(0, 0.5, 60)), p: 0.9 }));
    expect(biasFlags([borderline, ...many])[0]?.flag).not.toBe('biased');
  });
});
