import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { passHatK } from '../../../core/stats/pass-k.ts';
import { suiteInterval } from '../../../core/stats/suite-interval.ts';
import { wilson, zeroEventsUpper } from '../../../core/stats/wilson.ts';
import { type Trial, type TrialOutcome, Trial as TrialSchema } from '../../../core/trial.ts';
import { summarise } from '../../../harness/suite/summarise.ts';

function trial(task: string, number: number, outcome: TrialOutcome, more: Partial<Trial> = {}): Trial {
  return TrialSchema.parse({
    task,
    trial: number,
    outcome,
    reasons: [],
    must: [],
    must_not: [],
    harms: [],
    violations: [],
    judges: [],
    error: null,
    steps: 4,
    cost_usd: null,
    usage: null,
    ms: 1,
    trace: { steps: [] },
    end_state: {},
    artifacts: {},
    ...more,
  });
}

const LETTERS: Record<string, TrialOutcome> = { p: 'passed', f: 'failed', e: 'errored', u: 'ungraded' };

/** Trials written as one word a task: p passed, f failed, e errored, u ungraded. */
function run(words: readonly string[], k = Math.max(...words.map((word) => word.length))) {
  const tasks = words.map((_, index) => ({ id: `t${index + 1}`, tags: {} }));
  const trials = words.flatMap((word, index) =>
    [...word].map((letter, at) => trial(`t${index + 1}`, at + 1, LETTERS[letter] ?? 'errored')),
  );
  return { tasks, trials, figures: summarise(tasks, trials, k) };
}

describe('the figures of a run', () => {
  it('rate tasks, never pooled trials: each task counts once', () => {
    const { figures } = run(['ppppp', 'pf', 'fffff']);
    expect(figures.pass_rate.value).toBeCloseTo((1 + 0.5 + 0) / 3, 12);
    expect(figures.pass_rate).toMatchObject({ n: 3, trials: 12 });
    const pooled = wilson(6, 12);
    const width = (ci: { low: number; high: number } | null) => (ci === null ? 0 : ci.high - ci.low);
    expect(width(figures.pass_rate.ci)).toBeGreaterThan(width(pooled.ci));
  });

  it('leave errored and ungraded trials out of n, and show them', () => {
    const { figures } = run(['ppe', 'pfu', 'eee']);
    expect(figures.outcomes).toEqual({ passed: 3, failed: 1, errored: 4, ungraded: 1 });
    expect(
      figures.tasks.map(({ n, passed, counts }) => [n, passed, counts.errored, counts.ungraded]),
    ).toEqual([
      [2, 2, 1, 0],
      [2, 1, 0, 1],
      [0, 0, 3, 0],
    ]);
    expect(figures.pass_rate).toMatchObject({ value: 0.75, n: 2, trials: 4, nMissing: 5 });
    expect(figures.pass_hat_k.map(({ stat }) => stat.value)).toEqual([0.75, 0.5, null]);
    expect(figures.pass_hat_k[2]?.stat.reason).toBe('K_EXCEEDS_TRIALS');
  });

  it('agree with core/stats on any run', () => {
    const word = fc
      .array(fc.constantFrom('p', 'f', 'e', 'u'), { minLength: 1, maxLength: 6 })
      .map((letters) => letters.join(''));
    fc.assert(
      fc.property(fc.array(word, { minLength: 2, maxLength: 8 }), (words) => {
        const { figures } = run(words, 6);
        const verdicts = words.map((one) =>
          [...one].map((letter) => (letter === 'p' ? 1 : letter === 'f' ? 0 : null)),
        );
        expect(figures.pass_rate).toEqual(suiteInterval(verdicts));
        for (const { k, stat } of figures.pass_hat_k) expect(stat).toEqual(suiteInterval(verdicts, k));
        const counted = verdicts.map((one) => one.filter((verdict) => verdict !== null));
        const graded = counted.filter((one) => one.length > 0);
        if (graded.every((one) => one.length >= 2) && graded.length > 0) {
          const hats = graded.map(
            (one) => passHatK(one.length, one.filter((verdict) => verdict === 1).length, 2).value ?? -1,
          );
          const mean = hats.reduce((sum, hat) => sum + hat, 0) / hats.length;
          expect(figures.pass_hat_k[1]?.stat.value).toBeCloseTo(mean, 12);
        }
      }),
    );
  });

  it('say how common harm may still be where there was none', () => {
    const { figures } = run(['ppp', 'fff']);
    expect(figures.harms).toBe(0);
    expect(figures.harm_rate).toEqual(zeroEventsUpper(6));
  });

  it('count harms of all trials, errored ones too, and rate them by task', () => {
    const harm = { event: { kind: 'x', fields: {} }, step: 1, rule: { event: 'x', where: {} } };
    const tasks = ['a', 'b'].map((id) => ({ id, tags: {} }));
    const figures = summarise(
      tasks,
      [
        trial('a', 1, 'errored', { harms: [harm, harm] }),
        trial('a', 2, 'passed'),
        trial('b', 1, 'failed', { harms: [harm] }),
        trial('b', 2, 'failed', { harms: [harm] }),
      ],
      2,
    );
    expect(figures.harms).toBe(4);
    expect(figures.harm_rate).toMatchObject({ value: 0.75, n: 2 });
  });

  it('take means over trials that ran, with an interval by task, and none from nothing', () => {
    const tasks = ['a', 'b'].map((id) => ({ id, tags: {} }));
    const figures = summarise(
      tasks,
      [
        trial('a', 1, 'passed', { steps: 4, cost_usd: 0.5 }),
        trial('a', 2, 'failed', { steps: 6 }),
        trial('b', 1, 'ungraded', { steps: 8 }),
        trial('b', 2, 'errored', { steps: 99 }),
      ],
      2,
    );
    expect(figures.mean_steps).toMatchObject({ value: 6, n: 3, nMissing: 0 });
    expect(figures.mean_steps.ci).not.toBeNull();
    expect(figures.mean_cost_usd).toMatchObject({ value: 0.5, n: 1, nMissing: 2, ci: null });
    expect(run(['pp', 'pp']).figures.mean_cost_usd).toMatchObject({
      value: null,
      reason: 'EMPTY',
      nMissing: 4,
    });
  });

  it('count violations by rule, and of errored trials only acts that nobody allowed', () => {
    const tasks = [{ id: 'a', tags: {} }];
    const violations = (['unapproved', 'missing_tool', 'missing_tool'] as const).map((rule) => ({
      rule,
      step: null,
      message: '',
    }));
    expect(summarise(tasks, [trial('a', 1, 'failed', { violations })], 1).violations).toEqual({
      unapproved: 1,
      missing_tool: 2,
    });
    expect(summarise(tasks, [trial('a', 1, 'errored', { violations })], 1).violations).toEqual({
      unapproved: 1,
    });
  });
});
