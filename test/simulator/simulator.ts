import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { SIMULATOR_HEADER } from '../../harness/provider/hear.ts';
import { anthropic } from './anthropic.ts';
import { createAnthropicBatches } from './anthropic-batches.ts';
import { BatchDesk, type BatchFault, type BatchReply, type ItemEnd, type SimulatedBatch } from './batch.ts';
import type { Dialect, SimulatedError, SimulatedRequest } from './call.ts';
import { createDraw } from './draw.ts';
import { type Fault, isBilled, playFault } from './fault.ts';
import { google } from './google.ts';
import { createMind, HONEST, type Mind, type Temper } from './mind.ts';
import { createOpenAiBatches } from './openai-batches.ts';
import { openAiChat } from './openai-chat.ts';
import { openAiResponses } from './openai-responses.ts';
import type { Truth } from './truth.ts';

export interface SimulatorOptions {
  /** 0 = any free port. */
  port?: number;
  seed?: number;
  temper?: Partial<Temper>;
  /** Undefined values fall back to a truth drawn from the seed. */
  truth?: Truth;
  latencyMs?: number;
  /** The one key that is taken; absent = any. */
  key?: string;
  /** What goes wrong with which call. */
  faults?: (call: SimulatedCall) => Fault | null;
  /** What goes wrong with which batch. */
  batchFaults?: (batch: SimulatedBatch) => BatchFault | null;
  /** How often a batch is asked for before it has ended; default 1. */
  batchLooks?: number;
  /** Does not make itself known as a simulator, like the real provider. */
  anonymous?: boolean;
}

/** One request as the simulator saw it: the oracle of what a provider would have counted. */
export interface SimulatedCall {
  /** From 1, in the order of arrival. */
  number: number;
  dialect: Dialect['name'];
  authorization: string | null;
  body: unknown;
  /** Null where the request itself was refused. */
  request: SimulatedRequest | null;
  billed: boolean;
  /** It came with a batch. */
  batched: boolean;
}

export interface Simulator extends AsyncDisposable {
  /** `http://127.0.0.1:port` */
  origin: string;
  calls: SimulatedCall[];
  batches: readonly SimulatedBatch[];
  close(): Promise<void>;
}

const DIALECTS: readonly Dialect[] = [openAiChat, openAiResponses, anthropic, google];

/** Starts a provider that speaks all four wire formats, with a seeded judge behind them. */
export async function createSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const mind = createMind(
    createDraw(options.seed ?? 1),
    { ...HONEST, ...options.temper },
    options.truth ?? (() => undefined),
  );
  const calls: SimulatedCall[] = [];
  const closing = new AbortController();
  const answer = (dialect: Dialect, body: unknown) => answerItem(dialect, body, { options, mind, calls });
  const desk = () =>
    new BatchDesk({ looks: options.batchLooks ?? 1, faults: options.batchFaults ?? (() => null), answer });
  const desks = { openai: desk(), anthropic: desk() };
  const routes = [
    createOpenAiBatches(desks.openai, [openAiChat, openAiResponses]),
    createAnthropicBatches(desks.anthropic, anthropic),
  ];
  const server = createServer((request, response) => {
    handle(request, response, { options, mind, calls, routes, signal: closing.signal }).catch(() =>
      response.destroy(),
    );
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const close = async () => {
    closing.abort();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    origin: `http://127.0.0.1:${port}`,
    calls,
    get batches() {
      return [...desks.openai.all, ...desks.anthropic.all];
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

interface Scene {
  options: SimulatorOptions;
  mind: Mind;
  calls: SimulatedCall[];
  routes: readonly ((
    method: string,
    url: URL,
    body: string,
    contentType: string,
  ) => Promise<BatchReply | null>)[];
  signal: AbortSignal;
}

async function handle(incoming: IncomingMessage, response: ServerResponse, scene: Scene): Promise<void> {
  const { options, mind, calls, signal } = scene;
  const path = incoming.url ?? '';
  const dialect = DIALECTS.find((one) => one.path.test(path));
  const text = await bodyOf(incoming);
  if (options.anonymous !== true) response.setHeader(SIMULATOR_HEADER, '1');
  if (dialect === undefined && (await handleBatches(incoming, response, text, scene))) return;
  if (dialect === undefined || incoming.method !== 'POST') {
    response
      .writeHead(404, { 'content-type': 'application/json' })
      .end('{"error":{"message":"no such path"}}');
    return;
  }
  const call: SimulatedCall = {
    number: calls.length + 1,
    dialect: dialect.name,
    authorization: keyOf(incoming),
    body: JSON.parse(text),
    request: null,
    billed: false,
    batched: false,
  };
  calls.push(call);
  response.setHeader('x-request-id', `req_${call.number}`);
  const read = dialect.read(call.body, path);
  if ('error' in read) return sendError(response, dialect, read.error);
  if (options.key !== undefined && call.authorization !== options.key)
    return sendError(response, dialect, refusedKey(call.authorization));
  call.request = read.request;
  const fault = options.faults?.(call) ?? null;
  call.billed = isBilled(fault);
  if (options.latencyMs) await wait(options.latencyMs);
  if (fault?.kind === 'status') return sendError(response, dialect, errorOf(fault), fault.headers);
  const reply = replyOf(dialect, read.request, mind, call.number, fault);
  if (fault !== null && (await playFault(fault, response, reply, signal))) return;
  response.writeHead(200, { 'content-type': 'application/json' }).end(reply);
}

function replyOf(
  dialect: Dialect,
  request: SimulatedRequest,
  mind: Mind,
  number: number,
  fault: Fault | null,
): string {
  const answer = mind(request, number);
  const changed =
    fault?.kind === 'answer'
      ? { ...answer, text: fault.text ?? answer.text, finish: fault.finish ?? answer.finish }
      : answer;
  const served = fault?.kind === 'served' ? fault.model : request.model;
  const body = dialect.reply(request, changed, served, String(number));
  const usage = fault?.kind === 'answer' && 'usage' in fault ? { [dialect.usageField]: fault.usage } : {};
  const print = fault?.kind === 'fingerprint' ? { system_fingerprint: fault.fingerprint } : {};
  return JSON.stringify({ ...Object(body), ...usage, ...print });
}

async function handleBatches(
  incoming: IncomingMessage,
  response: ServerResponse,
  text: string,
  { routes, options }: Scene,
): Promise<boolean> {
  const url = new URL(incoming.url ?? '', 'http://127.0.0.1');
  const key = keyOf(incoming);
  if (options.key !== undefined && key !== options.key) {
    sendError(response, openAiChat, refusedKey(key));
    return true;
  }
  for (const route of routes) {
    const reply = await route(incoming.method ?? 'GET', url, text, incoming.headers['content-type'] ?? '');
    if (reply === null) continue;
    if ('untold' in reply) {
      if (reply.untold === 'cut') response.destroy();
    } else if ('lines' in reply) {
      response.writeHead(200, { 'content-type': 'application/octet-stream' });
      for (const line of reply.lines)
        response.write(`${line === null ? '{not json' : JSON.stringify(line)}\n`);
      response.end();
    } else {
      response.writeHead(reply.status ?? 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(reply.json));
    }
    return true;
  }
  return false;
}

/** Answers a request of a batch; faults of the wire do not strike it. */
function answerItem(
  dialect: Dialect,
  body: unknown,
  { options, mind, calls }: Pick<Scene, 'options' | 'mind' | 'calls'>,
): ItemEnd {
  const read = dialect.read(body, '');
  if ('error' in read) return { end: 'failed', error: read.error };
  const call: SimulatedCall = {
    number: calls.length + 1,
    dialect: dialect.name,
    authorization: null,
    body,
    request: read.request,
    billed: true,
    batched: true,
  };
  calls.push(call);
  const fault = options.faults?.(call) ?? null;
  if (fault?.kind === 'status') {
    call.billed = false;
    return { end: 'failed', error: errorOf(fault) };
  }
  return { end: 'answered', body: JSON.parse(replyOf(dialect, read.request, mind, call.number, fault)) };
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function keyOf({ headers }: IncomingMessage): string | null {
  const own = headers['x-api-key'] ?? headers['x-goog-api-key'];
  if (typeof own === 'string') return own;
  return headers.authorization?.replace(/^Bearer /, '') ?? null;
}

function sendError(
  response: ServerResponse,
  dialect: Dialect,
  error: SimulatedError,
  headers: Record<string, string> = {},
): void {
  response.writeHead(error.status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(dialect.error(error)));
}

function refusedKey(key: string | null): SimulatedError {
  return {
    status: 401,
    type: 'authentication_error',
    code: 'invalid_api_key',
    param: null,
    message: `Incorrect API key provided: ${key}.`,
  };
}

function errorOf(fault: Extract<Fault, { kind: 'status' }>): SimulatedError {
  return {
    status: fault.status,
    type: fault.type ?? 'simulated_error',
    code: fault.code ?? null,
    param: null,
    message: fault.message ?? `simulated ${fault.status}`,
  };
}
