import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { headersOf, plainHeaders } from './headers.ts';
import { LARGEST, networkText, TransportFailure, WholeResponse } from './transport-failure.ts';

/** The longest that a server may take to answer once a file is with it, milliseconds. */
const SLOWEST_ANSWER_MS = 900_000;

/** Codes of connections that were never made: nothing was sent. */
const UNCONNECTED = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/;

/**
 * Sends or fetches what may be large. A fetched body comes as a stream; the answer to anything sent is read whole.
 * @param silenceMs the longest that the body of an answer may stand still.
 * @throws TransportFailure
 */
export async function transferFile(
  dispatcher: Dispatcher,
  url: URL,
  init: RequestInit,
  silenceMs: number,
): Promise<Response> {
  const { body, headers } = outgoing(init);
  const method = init.method ?? 'GET';
  try {
    const answer = await dispatcher.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: method.toUpperCase() === 'GET' ? 'GET' : 'POST',
      headers,
      body,
      signal: init.signal ?? null,
      headersTimeout: Math.max(silenceMs, SLOWEST_ANSWER_MS),
      bodyTimeout: silenceMs,
    });
    const { statusCode: status } = answer;
    const head = { status, headers: headersOf(answer.headers) };
    if (status >= 300 && status < 400) {
      answer.body.destroy();
      throw new TransportFailure('redirected', true, `redirected (${status})`);
    }
    if (method === 'GET' && status === 200)
      return new Response(streamOf(answer.body, init.signal ?? null), head);
    return new WholeResponse(await readWhole(answer.body), head);
  } catch (error) {
    throw failureOf(error, init.signal ?? null);
  }
}

/** What a broken transfer comes to. */
function failureOf(error: unknown, signal: AbortSignal | null): unknown {
  if (error instanceof TransportFailure || !(error instanceof Error)) return error;
  if (signal?.aborted) return new TransportFailure('aborted', true, 'given up by us');
  const sent = !('code' in error && typeof error.code === 'string' && UNCONNECTED.test(error.code));
  return new TransportFailure('network', sent, networkText(error));
}

/** A form becomes a stream of its parts, with the header that names their divider. */
function outgoing(init: RequestInit): { body: string | Readable | null; headers: Record<string, string> } {
  const headers = plainHeaders(init.headers);
  if (typeof init.body === 'string') return { body: init.body, headers };
  if (!(init.body instanceof FormData)) return { body: null, headers };
  const form = new Response(init.body);
  if (form.body === null) return { body: null, headers };
  return {
    body: Readable.from(form.body),
    headers: { ...headers, 'content-type': form.headers.get('content-type') ?? '' },
  };
}

function streamOf(body: Readable, signal: AbortSignal | null): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const { done, value } = await chunks.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        throw failureOf(error, signal);
      }
    },
    cancel: () => {
      body.destroy();
    },
  });
}

async function readWhole(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > LARGEST)
      throw new TransportFailure('bad_shape', true, `the reply is larger than ${LARGEST} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
