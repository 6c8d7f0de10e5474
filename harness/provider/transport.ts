import { type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import { isLoopback } from './base-url.ts';
import { transferFile } from './file-transfer.ts';
import { headersOf, plainHeaders } from './headers.ts';
import {
  LARGEST,
  networkText,
  TransportFailure,
  type TransportFault,
  WholeResponse,
} from './transport-failure.ts';

export interface TransportOptions {
  /** The only place that requests go to. */
  baseUrl: URL;
  connections: number;
  /** Over the whole call, body included, milliseconds. */
  deadlineMs: number;
  env: Readonly<Record<string, string | undefined>>;
}

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

export interface Transport {
  /** A fetch for the SDKs. It resolves when the whole body is here. */
  fetch: Fetch;
  /** The same for files that are too large for that: what is fetched comes as a stream, and the deadline is over silence. */
  files: Fetch;
  close(): Promise<void>;
}

/** A server that has begun to answer and then says nothing for this share of the deadline is given up. */
const SILENCE = 1 / 2;

/**
 * A lean fetch over kept connections to one origin. It sends once, follows no redirect, asks for no compression, and
 * ends every call by its deadline, or sooner where a reply that was begun falls silent. Its promise rejects with a TransportFailure.
 */
export function createTransport(options: TransportOptions): Transport {
  const dispatcher = openDispatcher(options);
  const { origin } = options.baseUrl;
  const to = (input: string | URL | Request): URL => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.origin !== origin) throw new Error(`a request for ${origin} was about to leave for another host`);
    return url;
  };
  return {
    fetch: async (input, init = {}) => exchange(dispatcher, to(input), init, options.deadlineMs),
    files: async (input, init = {}) => transferFile(dispatcher, to(input), init, options.deadlineMs),
    close: () => dispatcher.destroy(),
  };
}

function openDispatcher({ baseUrl, connections, env }: TransportOptions): Dispatcher {
  const settings = { connections, headersTimeout: 0, bodyTimeout: 0, pipelining: 1 };
  const read = (name: string) => env[name] ?? env[name.toLowerCase()];
  const proxy = read(baseUrl.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY');
  if (proxy === undefined || proxy === '' || isLoopback(baseUrl)) return new Pool(baseUrl.origin, settings);
  return new EnvHttpProxyAgent({
    ...settings,
    httpProxy: proxy,
    httpsProxy: proxy,
    noProxy: read('NO_PROXY') ?? '',
  });
}

function exchange(
  dispatcher: Dispatcher,
  url: URL,
  init: RequestInit,
  deadlineMs: number,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    let abort: ((reason: Error) => void) | null = null;
    const idleMs = deadlineMs * SILENCE;
    let open = true;
    let sent = false;
    let size = 0;
    let status = 0;
    let headers: [string, string][] = [];
    const chunks: Buffer[] = [];
    const signal = init.signal ?? null;

    const end = (fault: TransportFault | null, detail: string) => {
      if (!open) return;
      open = false;
      clearTimeout(deadline);
      clearTimeout(silence);
      signal?.removeEventListener('abort', onAbort);
      if (fault === null) {
        return resolve(new WholeResponse(Buffer.concat(chunks).toString('utf8'), { status, headers }));
      }
      const failure = new TransportFailure(fault, sent, detail);
      abort?.(failure);
      reject(failure);
    };
    const onAbort = () => end('aborted', 'given up by us');
    const deadline = setTimeout(
      () => end('timeout', `no whole reply within ${deadlineMs / 1000} s`),
      deadlineMs,
    );
    let silence: NodeJS.Timeout | undefined;
    const listen = () => {
      if (!open) return;
      silence ??= setTimeout(
        () => end('timeout', `the reply was begun, and no more of it came for ${idleMs / 1000} s`),
        idleMs,
      );
      silence.refresh();
    };
    if (signal?.aborted) return onAbort();
    signal?.addEventListener('abort', onAbort);

    dispatcher.dispatch(
      {
        origin: url.origin,
        path: url.pathname + url.search,
        method: init.method ?? 'GET',
        headers: plainHeaders(init.headers),
        body: typeof init.body === 'string' ? init.body : null,
      },
      {
        onRequestStart: (controller) => {
          if (!open) return controller.abort(new Error('given up before it was sent'));
          abort = (reason) => controller.abort(reason);
          sent = true;
        },
        onResponseStart: (_controller, code, fields) => {
          status = code;
          headers = headersOf(fields);
          if (code >= 300 && code < 400) end('redirected', `redirected (${code})`);
          if (code >= 600) end('bad_shape', `a status that does not exist: ${code}`);
          listen();
        },
        onResponseData: (_controller, chunk) => {
          size += chunk.length;
          listen();
          if (size > LARGEST) end('bad_shape', `the reply is larger than ${LARGEST} bytes`);
          else chunks.push(chunk);
        },
        onResponseEnd: () => end(null, ''),
        onResponseError: (_controller, error) => end('network', networkText(error)),
      },
    );
  });
}
