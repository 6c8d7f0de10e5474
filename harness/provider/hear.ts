import type { z } from 'zod';
import { Usage } from '../../core/trace.ts';
import { type FailureContext, failed, failureOf } from './failure.ts';
import type { Answered, Failed } from './provider.ts';

/** The header by which the provider simulator makes itself known. */
export const SIMULATOR_HEADER = 'x-touchstone-simulator';

/** The parts of an answer that do not depend on the provider. */
export type Heard = Pick<Answered, 'requestId' | 'simulator' | 'raw'>;

/**
 * Sends one request and holds the reply against its shape before anyone uses it.
 * @param read makes an answer of a body that has the shape.
 */
export async function hear<Shape extends z.ZodType>(
  send: (signal: AbortSignal) => Promise<Response>,
  shape: Shape,
  read: (body: z.infer<Shape>, heard: Heard) => Answered | Failed,
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
  const body = shape.safeParse(parseJson(text));
  if (body.success) return read(body.data, heard);
  const start = heard.raw.slice(0, 200);
  return failed(
    'bad_shape',
    `the reply is not of this provider's shape: ${start === '' ? '(empty)' : start}`,
    {
      httpStatus: response.status,
      maybeBilled: true,
      requestId: heard.requestId,
      raw: heard.raw,
    },
  );
}

/** JSON as a value; undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A usage that makes sense, or null: counts that are missing, negative or larger than their total say nothing. */
export function soundUsage(counts: z.input<typeof Usage>): Usage | null {
  const usage = Usage.safeParse(counts);
  if (!usage.success) return null;
  const { input, output, cacheRead, cacheWrite, cacheWriteHour, reasoning } = usage.data;
  const sound = cacheRead + cacheWrite <= input && cacheWriteHour <= cacheWrite && reasoning <= output;
  return sound ? usage.data : null;
}
