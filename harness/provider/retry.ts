import type { Completion, Failed } from './provider.ts';

/** The longest that one call waits for a provider in all, and the longest advice that is followed: 15 minutes. */
export const PATIENCE_MS = 900_000;

const FIRST_WAIT_MS = 1000;
const LONGEST_BACKOFF_MS = 60_000;
const RETRIES = { server: 3, conflict: 1, network: 5 };

/** What to do with a completion: keep it, send again after a wait, or give the run up until later. */
export type Next =
  | { do: 'keep' }
  | { do: 'retry'; waitMs: number /** All workers of the model wait, not this one alone. */; shared: boolean }
  | { do: 'give_up'; waitMs: number };

/**
 * Decides after each attempt. Only what surely was not done is sent again: refusals before any work (429, 5xx, no
 * connection). What was sent and never answered is kept as it is, for it may have been billed.
 * @param attempt 1 for the first; @param waitedMs what this call has waited so far; @param random uniform in [0, 1).
 */
export function nextStep(
  completion: Completion,
  attempt: number,
  waitedMs: number,
  random: () => number,
): Next {
  if (completion.status === 'answered' || completion.maybeBilled) return { do: 'keep' };
  switch (completion.failure) {
    case 'rate_limited':
    case 'overloaded': {
      const waitMs = advisedWait(completion, attempt, random);
      const tooLong = (completion.retryAfterMs ?? 0) > PATIENCE_MS || waitedMs + waitMs > PATIENCE_MS;
      return tooLong ? { do: 'give_up', waitMs } : { do: 'retry', waitMs, shared: true };
    }
    case 'network':
      return attempt <= RETRIES.network
        ? { do: 'retry', waitMs: backoff(attempt, random), shared: false }
        : { do: 'give_up', waitMs: backoff(attempt, random) };
    case 'server': {
      const allowed = (completion.httpStatus ?? 500) < 500 ? RETRIES.conflict : RETRIES.server;
      if (attempt > allowed) return { do: 'keep' };
      return { do: 'retry', waitMs: advisedWait(completion, attempt, random), shared: false };
    }
    default:
      return { do: 'keep' };
  }
}

/** What the provider asks for and up to a second more, so that workers do not come back all at once. */
function advisedWait(failed: Failed, attempt: number, random: () => number): number {
  if (failed.retryAfterMs === null || failed.retryAfterMs > PATIENCE_MS) return backoff(attempt, random);
  return failed.retryAfterMs + random() * 1000;
}

/** Doubles from a second to a minute, and up to half as much again. */
function backoff(attempt: number, random: () => number): number {
  return Math.min(LONGEST_BACKOFF_MS, FIRST_WAIT_MS * 2 ** (attempt - 1)) * (1 + random() / 2);
}
