import { setTimeout as delay } from 'node:timers/promises';

/** Waits; an abort ends the wait early and is no error. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

/** Sleeps on the real clock; at most 24 days. */
export const sleep: Sleep = async (ms, signal) => {
  if (signal.aborted) return;
  await delay(Math.min(ms, 2_000_000_000), undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
};
