import { setMaxListeners } from 'node:events';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBreaker } from '../../../harness/provider/breaker.ts';
import { failed } from '../../../harness/provider/failure.ts';
import { createFlow, type Flow, workersOf } from '../../../harness/provider/flow.ts';
import type { Answered, Completion, Failed } from '../../../harness/provider/provider.ts';
import { createWindow } from '../../../harness/provider/window.ts';

const NEVER = new AbortController().signal;
setMaxListeners(0, NEVER);
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
const BUSY = failed('rate_limited', 'slow down');

/** A clock that moves where a test says so. */
function handClock() {
  let time = 0;
  const sleepers: { at: number; go: () => void }[] = [];
  return {
    now: () => time,
    sleep: (ms: number, signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        sleepers.push({ at: time + ms, go: resolve });
        signal.addEventListener('abort', () => resolve(), { once: true });
      }),
    move: (ms: number) => {
      time += ms;
      for (const { at, go } of sleepers) if (at <= time) go();
    },
  };
}

/** Lets as many workers as there are calls through, and answers each when it is told to. */
function drive(flow: Flow, calls: number, signal = NEVER) {
  const waiting: ((completion: Completion) => void)[] = [];
  const state = { most: 0, done: 0 };
  const one = async () => {
    const turn = await flow.enter(signal);
    if (turn === null || !(await turn.begin())) return turn?.leave();
    const heard = new Promise<Completion>((resolve) => waiting.push(resolve));
    state.most = Math.max(state.most, waiting.length);
    turn.heard(await heard);
    turn.leave();
    state.done++;
  };
  const ended = Promise.all(Array.from({ length: calls }, one));
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    state,
    ended,
    /** Answers all that are in flight. @returns how many they were. */
    round: async (completion: Completion = ANSWER) => {
      await settle();
      const flying = waiting.splice(0);
      for (const answer of flying) answer(completion);
      await settle();
      return flying.length;
    },
  };
}

function flowOf(limit: number) {
  const clock = handClock();
  return { clock, flow: createFlow({ limit, now: clock.now, sleep: clock.sleep }) };
}

describe('how many calls are in flight', () => {
  it('is one, then some, then twice as many each round trip up to the limit', async () => {
    const { flow } = flowOf(100);
    const { round, ended } = drive(flow, 500);
    const rounds: number[] = [];
    while (rounds.reduce((sum, n) => sum + n, 0) < 500) rounds.push(await round());
    await ended;
    expect(rounds).toEqual([1, 16, 32, 64, 100, 100, 100, 87]);
  });

  it('halves once where a whole round trip is refused, and grows by about one a round trip from there', async () => {
    const { flow } = flowOf(64);
    const { round, ended } = drive(flow, 800);
    const rounds: number[] = [];
    for (let n = 0; n < 5; n++) rounds.push(await round());
    rounds.push(await round(BUSY));
    for (let n = 0; n < 4; n++) rounds.push(await round());
    expect(rounds).toEqual([1, 16, 32, 64, 64, 64, 32, 32, 33, 34]);
    while ((await round()) > 0);
    await ended;
  });

  it('is halved again where the half is refused too, down to one and never to none', async () => {
    const { flow } = flowOf(16);
    const { round } = drive(flow, 400);
    await round();
    const rounds: number[] = [];
    for (let n = 0; n < 8; n++) rounds.push(await round(BUSY));
    expect(rounds).toEqual([16, 8, 4, 2, 1, 1, 1, 1]);
  });

  it('opens after a first call that failed, for one failure is no lack of room', async () => {
    const { flow } = flowOf(16);
    const { round } = drive(flow, 40);
    await round(failed('server', ''));
    expect(await round()).toBe(16);
  });

  it('stays between one and the limit, whatever comes', () => {
    const step = fc.oneof(fc.constant('answered'), fc.constant('failed'), fc.constant('cut'));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 512 }), fc.array(step, { maxLength: 300 }), (limit, steps) => {
        const window = createWindow(limit);
        for (const what of steps) {
          const before = window.size();
          if (what === 'cut') window.cut(before);
          else window.heard(what === 'answered');
          const size = window.size();
          if (size < 1 || size > limit) return false;
          if (what === 'cut' && size > Math.max(1, before / 2)) return false;
        }
        return true;
      }),
    );
  });

  it('is never more than the window, and nobody is forgotten', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 40 }),
        fc.array(fc.boolean(), { maxLength: 12 }),
        async (limit, busy) => {
          const { flow } = flowOf(limit);
          const { round, state, ended } = drive(flow, 3 * workersOf(limit));
          for (const one of busy) await round(one ? BUSY : ANSWER);
          while ((await round()) > 0);
          await ended;
          return state.most <= limit && state.done === 3 * workersOf(limit);
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe('a pause', () => {
  it('holds all back until it is over', async () => {
    const { flow, clock } = flowOf(8);
    const { round, state } = drive(flow, 20);
    await round();
    flow.hold(2000);
    await round();
    expect(await round()).toBe(0);
    clock.move(1999);
    expect(await round()).toBe(0);
    clock.move(1);
    expect(await round()).toBe(8);
    expect(state.done).toBe(17);
  });

  it('is never made shorter', async () => {
    const { flow, clock } = flowOf(1);
    flow.hold(5000);
    flow.hold(10);
    const { round } = drive(flow, 1);
    clock.move(4999);
    expect(await round()).toBe(0);
    clock.move(1);
    expect(await round()).toBe(1);
  });

  it('ends for those who stop waiting', async () => {
    const { flow } = flowOf(4);
    const stop = new AbortController();
    flow.hold(600_000);
    const { state, ended } = drive(flow, 4, stop.signal);
    stop.abort();
    await ended;
    expect(state.done).toBe(0);
  });
});

describe('a flow that is shut', () => {
  it('lets nobody through, neither those who wait nor those who come', async () => {
    const { flow } = flowOf(2);
    const { round, ended, state } = drive(flow, 10);
    await round();
    flow.shut();
    await round();
    await ended;
    expect(state.done).toBe(3);
    expect(await flow.enter(NEVER)).toBeNull();
  });
});

describe('a model that fails call after call', () => {
  const DOWN = failed('server', 'no', { httpStatus: 503 });
  const note = (breaker: ReturnType<typeof createBreaker>, completion: Completion, order: number) =>
    breaker.note(completion, { order, sent: order, inFlight: 1 });

  it('is left alone for a while, then asked once after each rest, and given up after a quarter of an hour', () => {
    let time = 0;
    const breaker = createBreaker(() => time);
    const rests: number[] = [];
    let order = 0;
    for (;;) {
      const trip = note(breaker, DOWN, ++order);
      if (trip.breaker === 'broken') break;
      if (trip.breaker === 'open') {
        rests.push(trip.restMs);
        time += trip.restMs;
      }
    }
    expect(rests.slice(0, 5)).toEqual([15_000, 30_000, 60_000, 120_000, 120_000]);
    expect(order).toBe(20 + rests.length + 1);
    expect(time).toBeGreaterThanOrEqual(900_000);
    expect(time).toBeLessThan(1_020_000);
  });

  it('is trusted again at its first answer', () => {
    const breaker = createBreaker(() => 0);
    for (let order = 1; order <= 20; order++) note(breaker, DOWN, order);
    expect(note(breaker, DOWN, 21)).toMatchObject({ breaker: 'open' });
    note(breaker, ANSWER, 22);
    for (let order = 23; order < 43; order++)
      expect(note(breaker, DOWN, order)).toEqual({ breaker: 'closed' });
  });

  it('is not judged by what was in flight when it was left alone', () => {
    const breaker = createBreaker(() => 0);
    const trips = Array.from({ length: 50 }, (_, index) =>
      breaker.note(DOWN, { order: index + 1, sent: 50, inFlight: 30 }),
    );
    expect(trips.filter(({ breaker: state }) => state !== 'closed')).toHaveLength(1);
  });

  it.each<[string, Failed]>([
    ['does not take the request', failed('bad_request', '')],
    ['sends us elsewhere', failed('redirected', '')],
  ])('is given up at once where it %s', (_, failure) => {
    const breaker = createBreaker(() => 0);
    const states = Array.from({ length: 21 }, (__, index) => note(breaker, failure, index + 1).breaker);
    expect(states.at(-1)).toBe('broken');
    expect(states.slice(0, 20)).not.toContain('broken');
  });

  it.each<[string, Failed]>([
    ['a rate limit', BUSY],
    ['an overload', failed('overloaded', '')],
    ['a refused connection', failed('network', '')],
    ['a prompt that is too long', failed('too_long', '')],
    ['a filter', failed('filtered', '')],
    ['our giving up', failed('aborted', '', { maybeBilled: true })],
  ])('is not what %s makes it', (_, failure) => {
    const breaker = createBreaker(() => 0);
    for (let order = 1; order < 100; order++)
      expect(note(breaker, failure, order)).toEqual({ breaker: 'closed' });
  });

  it('gets one call at a time after a rest', async () => {
    const { flow, clock } = flowOf(4);
    const { round } = drive(flow, 200);
    await round();
    const rounds: number[] = [];
    for (let n = 0; n < 8; n++) rounds.push(await round(DOWN));
    expect(rounds.at(-1)).toBe(0);
    clock.move(15_000);
    expect(await round(DOWN)).toBe(1);
    expect(await round()).toBe(0);
    clock.move(30_000);
    expect(await round()).toBe(1);
    expect(await round()).toBe(2);
    expect(await round()).toBe(4);
  });
});
