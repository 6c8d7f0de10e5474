import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failed } from '../../../harness/provider/failure.ts';
import type { Answered, FailureClass } from '../../../harness/provider/provider.ts';
import { nextStep, PATIENCE_MS } from '../../../harness/provider/retry.ts';

const half = () => 0.5;

const ANSWER: Answered = {
  status: 'answered',
  text: '{}',
  finish: 'stop',
  detail: null,
  usage: null,
  servedModel: null,
  fingerprint: null,
  requestId: null,
  simulator: false,
  raw: '{}',
};

describe('what is sent again', () => {
  it('is never an answer', () => {
    expect(nextStep(ANSWER, 1, 0, half)).toEqual({ do: 'keep' });
  });

  it('is never what may have been billed, whatever it is called', () => {
    const classes: FailureClass[] = ['timeout', 'network', 'aborted', 'server', 'rate_limited', 'bad_shape'];
    for (const failure of classes)
      expect(nextStep(failed(failure, '', { maybeBilled: true }), 1, 0, half)).toEqual({ do: 'keep' });
  });

  it.each([
    'auth',
    'not_found',
    'bad_request',
    'unsupported',
    'too_long',
    'filtered',
    'quota',
    'redirected',
  ] as const)('is not a call that ended as %s', (failure) => {
    expect(nextStep(failed(failure, ''), 1, 0, half)).toEqual({ do: 'keep' });
  });

  it('is a conflict once and a server error three times', () => {
    const tries = (httpStatus: number) =>
      [1, 2, 3, 4].map((attempt) => nextStep(failed('server', '', { httpStatus }), attempt, 0, half).do);
    expect(tries(409)).toEqual(['retry', 'keep', 'keep', 'keep']);
    expect(tries(500)).toEqual(['retry', 'retry', 'retry', 'keep']);
  });

  it('waits as the provider asks, and up to a second more, together with all other workers', () => {
    const next = nextStep(failed('rate_limited', '', { retryAfterMs: 2000 }), 1, 0, half);
    expect(next).toEqual({ do: 'retry', waitMs: 2500, shared: true });
  });

  it('gives the run up rather than wait for longer than a quarter of an hour', () => {
    const asked = failed('rate_limited', '', { retryAfterMs: 7_200_000 });
    expect(nextStep(asked, 1, 0, half).do).toBe('give_up');
    expect(nextStep(failed('overloaded', ''), 30, PATIENCE_MS, half).do).toBe('give_up');
  });

  it('keeps asking an overloaded model for more than ten minutes', () => {
    let waited = 0;
    for (let attempt = 1; ; attempt++) {
      const next = nextStep(failed('overloaded', ''), attempt, waited, half);
      if (next.do !== 'retry') break;
      waited += next.waitMs;
    }
    expect(waited).toBeGreaterThan(600_000);
    expect(waited).toBeLessThanOrEqual(PATIENCE_MS);
  });

  it('asks less than once a second on its own account', () => {
    const attempts = fc.integer({ min: 1, max: 60 });
    const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(attempts, random, (attempt, draw) => {
        const next = nextStep(failed('rate_limited', ''), attempt, 0, () => draw);
        return next.do === 'retry' && next.waitMs >= 1000 && next.waitMs <= 90_000;
      }),
    );
  });
});
