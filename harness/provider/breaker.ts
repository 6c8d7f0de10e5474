import type { Completion, Failed } from './provider.ts';
import { PATIENCE_MS } from './retry.ts';

/** Attempts in a row, beyond those in flight, that a provider may fail before it is left alone. */
const PATIENCE = 20;
const FIRST_REST_MS = 15_000;
const LONGEST_REST_MS = 120_000;

/** What a completion means for the model: go on, leave it alone for so long and then ask once, or give it up. */
export type Trip = { breaker: 'closed' } | { breaker: 'open'; restMs: number } | { breaker: 'broken' };

/** Opens when a model fails attempt after attempt. One call after each rest finds out whether it is back. */
export interface Breaker {
  /**
   * @param order the attempt's number in the order of sending; @param sent attempts sent so far;
   * @param inFlight how many of them are in flight.
   */
  note(completion: Completion, attempt: { order: number; sent: number; inFlight: number }): Trip;
}

const CLOSED: Trip = { breaker: 'closed' };

/** Makes a breaker that gives a model up after a quarter of an hour of rests, or at once where waiting mends nothing. */
export function createBreaker(now: () => number): Breaker {
  let failures = 0;
  let rests = 0;
  let openSince: number | null = null;
  /** Attempts up to this one were sent before the breaker opened and say nothing new. */
  let known = 0;
  return {
    note: (completion, { order, sent, inFlight }) => {
      if (completion.status === 'answered' || !counts(completion)) {
        if (completion.status === 'answered') {
          failures = 0;
          rests = 0;
          openSince = null;
        }
        return CLOSED;
      }
      failures++;
      const tripped = openSince === null ? failures >= PATIENCE + inFlight : order > known;
      if (!tripped) return CLOSED;
      openSince ??= now();
      known = sent;
      if (!mayPass(completion) || now() - openSince >= PATIENCE_MS) return { breaker: 'broken' };
      return { breaker: 'open', restMs: Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** rests++) };
    },
  };
}

/** Rate limits, overload and an unreachable host have waits of their own; the rest either stop the run or are answers. */
function counts({ failure, maybeBilled }: Failed): boolean {
  if (failure === 'network') return maybeBilled;
  return ['server', 'timeout', 'bad_shape', 'bad_request', 'redirected'].includes(failure);
}

/** A request that the provider does not take is not taken later either. */
function mayPass({ failure }: Failed): boolean {
  return failure !== 'bad_request' && failure !== 'redirected';
}
