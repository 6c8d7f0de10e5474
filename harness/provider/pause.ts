import type { Sleep } from './sleep.ts';

/** The wait that all workers of one model share: when one is told to slow down, all do. */
export interface Pause {
  /** Lengthens the pause to at least `ms` from now. */
  hold(ms: number): void;
  /** Resolves when the pause is over, or at once on an abort. */
  wait(signal: AbortSignal): Promise<void>;
}

export function createPause(now: () => number, sleep: Sleep): Pause {
  let until = 0;
  return {
    hold: (ms) => {
      until = Math.max(until, now() + ms);
    },
    wait: async (signal) => {
      while (until > now() && !signal.aborted) await sleep(until - now(), signal);
    },
  };
}
