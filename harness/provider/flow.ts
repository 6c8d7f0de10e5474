import { createBreaker } from './breaker.ts';
import type { Completion } from './provider.ts';
import type { Sleep } from './sleep.ts';
import { createWindow } from './window.ts';

/** The way to one model of one provider, shared by all that call it: when one is told to slow down, all do. */
export interface Flow {
  /** Waits for a place near the front, where a call is written down before it is sent. Null on an abort. */
  enter(signal: AbortSignal): Promise<Turn | null>;
  /** Lengthens the pause of all to at least `ms` from now. */
  hold(ms: number): void;
  /** Lets nothing more through. */
  shut(): void;
}

/** One attempt's way through. */
export interface Turn {
  /** Waits for a place on the wire. False on an abort: nothing may be sent. */
  begin(): Promise<boolean>;
  /** Tells what came of it. @returns whether the model fails attempt after attempt, and is given up. */
  heard(completion: Completion): { broken: boolean };
  /** Frees its place for the next. */
  leave(): void;
}

export interface FlowOptions {
  /** Most calls in flight. */
  limit: number;
  now: () => number;
  sleep: Sleep;
}

/** Calls that are made ready while others are in flight, so that the wire never waits for the disk. */
function ahead(window: number): number {
  return Math.floor(window / 4);
}

/** Workers that keep a flow of this limit busy: those in flight, those made ready, those whose answers are stored. */
export function workersOf(limit: number): number {
  return limit + 2 * ahead(limit);
}

export function createFlow({ limit, now, sleep }: FlowOptions): Flow {
  const window = createWindow(limit);
  const breaker = createBreaker(now);
  let open = true;
  let pausedUntil = 0;
  let entered = 0;
  let inFlight = 0;
  let sent = 0;
  /** Attempts up to this one were in flight at the last cut: they neither cut again nor let the window grow. */
  let cutAt = 0;
  const door = new Set<() => void>();
  const wire = new Set<() => void>();

  const hold = (ms: number) => {
    pausedUntil = Math.max(pausedUntil, now() + ms);
  };
  const wake = () => {
    const size = window.size();
    wakeSome(wire, size - inFlight);
    wakeSome(door, size + ahead(size) - entered);
  };
  const pass = async (queue: Set<() => void>, take: () => boolean, signal: AbortSignal) => {
    while (open && !signal.aborted) {
      if (pausedUntil > now()) await sleep(pausedUntil - now(), signal);
      else if (take()) return true;
      else await waitIn(queue, signal);
    }
    wake();
    return false;
  };

  const enter = async (signal: AbortSignal): Promise<Turn | null> => {
    const takeDoor = () => {
      if (entered >= window.size() + ahead(window.size())) return false;
      entered++;
      return true;
    };
    if (!(await pass(door, takeDoor, signal))) return null;
    let stage: 'entered' | 'sent' | 'left' = 'entered';
    let order = 0;
    const takeWire = () => {
      if (inFlight >= window.size()) return false;
      inFlight++;
      order = ++sent;
      stage = 'sent';
      return true;
    };
    const leave = () => {
      if (stage === 'left') return;
      if (stage === 'sent') inFlight--;
      entered--;
      stage = 'left';
      wake();
    };
    return {
      begin: () => pass(wire, takeWire, signal),
      heard: (completion) => {
        if (order > cutAt) {
          if (!isThrottled(completion)) window.heard(completion.status === 'answered');
          else {
            window.cut(inFlight);
            cutAt = sent;
          }
        }
        const trip = breaker.note(completion, { order, sent, inFlight });
        if (trip.breaker === 'open') {
          window.close();
          cutAt = sent;
          hold(trip.restMs);
        }
        return { broken: trip.breaker === 'broken' };
      },
      leave,
    };
  };
  const shut = () => {
    open = false;
    for (const queue of [wire, door]) wakeSome(queue, queue.size);
  };
  return { enter, hold, shut };
}

function isThrottled(completion: Completion): boolean {
  return (
    completion.status === 'failed' &&
    (completion.failure === 'rate_limited' || completion.failure === 'overloaded')
  );
}

function wakeSome(queue: Set<() => void>, count: number): void {
  for (const go of queue) {
    if (count-- <= 0) return;
    queue.delete(go);
    go();
  }
}

function waitIn(queue: Set<() => void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    };
    const onAbort = () => {
      queue.delete(go);
      resolve();
    };
    queue.add(go);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
