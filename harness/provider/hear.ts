import { type FailureContext, failed, failureOf } from './failure.ts';
import type { Answered, Failed, OutputShape } from './provider.ts';
import type { Heard, Reader } from './reader.ts';

/** The header by which the provider simulator makes itself known. */
export const SIMULATOR_HEADER = 'x-touchstone-simulator';

/** Sends one request and reads the reply. */
export async function hear(
  send: (signal: AbortSignal) => Promise<Response>,
  read: Reader,
  mode: OutputShape['mode'],
  context: FailureContext,
): Promise<Answered | Failed> {
  const { signal } = context;
  // The SDKs never take their listener off, so a run's one signal would collect one a call.
  const call = new AbortController();
  const abort = () => call.abort();
  signal.addEventListener('abort', abort);
  let response: Response;
  try {
    if (signal.aborted) call.abort();
    response = await send(call.signal);
  } catch (error) {
    return failureOf(error, context);
  } finally {
    signal.removeEventListener('abort', abort);
  }
  const text = await response.text();
  const heard = {
    requestId: response.headers.get('x-request-id') ?? response.headers.get('request-id'),
    simulator: response.headers.has(SIMULATOR_HEADER),
    raw: context.redact(text),
  };
  return readAs(read, text, mode, { heard, httpStatus: response.status, context });
}

/** Reads a reply, or says that it is none of this provider's. */
export function readAs(
  read: Reader,
  text: string,
  mode: OutputShape['mode'],
  { heard, httpStatus, context }: { heard: Heard; httpStatus: number; context: FailureContext },
): Answered | Failed {
  const completion = read(text, mode, heard);
  if (completion !== null) return withoutKeys(completion, context);
  const start = heard.raw.slice(0, 200);
  return failed(
    'bad_shape',
    `the reply is not of this provider's shape: ${start === '' ? '(empty)' : start}`,
    {
      httpStatus,
      maybeBilled: true,
      requestId: heard.requestId,
      raw: heard.raw,
    },
  );
}

/** What a provider says beside the reply may echo anything; the reply itself is left as it is, for its quotes. */
function withoutKeys(completion: Answered | Failed, { redact }: FailureContext): Answered | Failed {
  if (completion.status === 'failed' || completion.detail === null) return completion;
  return { ...completion, detail: redact(completion.detail) };
}
