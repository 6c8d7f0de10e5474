import type { ModelRow } from '../../core/model-table.ts';
import type { FailureContext } from './failure.ts';
import type { Redact } from './redact.ts';
import type { Transport } from './transport.ts';

/** What a provider needs to reach its server; made by `openProvider`. */
export interface Connection {
  baseUrl: URL;
  /** Null = no key is sent. */
  apiKey: string | null;
  transport: Transport;
  redact: Redact;
  deadlineMs: number;
  now: () => number;
  simulated: boolean;
  /** What models take. */
  models: readonly ModelRow[];
}

/** SDK settings that hold for every provider: our transport and deadline, no retries, no logging. */
export function clientSettings({ baseUrl, transport, deadlineMs }: Connection) {
  return {
    baseURL: baseUrl.href.replace(/\/$/, ''),
    fetch: transport.fetch,
    maxRetries: 0,
    // Never reached: the transport ends each call by its own deadline, which covers the body too.
    timeout: deadlineMs * 2 + 60_000,
    logLevel: 'off',
  } as const;
}

export function failureContext({ redact, now }: Connection, signal: AbortSignal): FailureContext {
  return { redact, now, signal };
}
