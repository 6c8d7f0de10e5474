import type Anthropic from '@anthropic-ai/sdk';
import { z } from 'zod';
import { fetchResults, type SingleCalls } from './batch-results.ts';
import { type Connection, clientSettings, failureContext } from './connection.ts';
import { type FailureContext, failedItem } from './failure.ts';
import { readAs } from './hear.ts';
import type { Batches, BatchResult, Failed, OutputShape, RemoteBatch } from './provider.ts';
import { parseJson } from './reader.ts';
import { told } from './told.ts';

const PATH = '/v1/messages/batches';
const PAGE = 100;
const PAGES = 20;
/** How far our clock and theirs may be apart, milliseconds. */
const SKEW_MS = 300_000;

const Body = z.object({
  id: z.string(),
  processing_status: z.string(),
  created_at: z.string(),
  request_counts: z.object({
    processing: z.number(),
    succeeded: z.number(),
    errored: z.number(),
    canceled: z.number(),
    expired: z.number(),
  }),
});
type Body = z.infer<typeof Body>;

const Page = z.object({
  data: z.array(Body),
  has_more: z.boolean().nullish(),
  last_id: z.string().nullish(),
});

const Line = z.object({
  custom_id: z.string(),
  result: z.discriminatedUnion('type', [
    z.object({ type: z.literal('succeeded'), message: z.unknown() }),
    z.object({
      type: z.literal('errored'),
      error: z.object({
        error: z.object({ type: z.string(), message: z.string().nullish() }),
        request_id: z.string().nullish(),
      }),
    }),
    z.object({ type: z.literal('canceled') }),
    z.object({ type: z.literal('expired') }),
  ]),
});

/** The status that a single call would have had. */
const STATUS: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  overloaded_error: 529,
};

/** Anthropic's message batches: they keep no marker, so that a lost one is known by its time, its size and its results. */
export function createAnthropicBatches(
  connection: Connection,
  client: Anthropic,
  { bodyOf, read }: SingleCalls,
): Batches {
  const files = client.withOptions({ ...clientSettings(connection), fetch: connection.transport.files });
  const context = (signal: AbortSignal) => failureContext(connection, signal);
  return {
    most: { requests: 50_000, bytes: 200_000_000 },
    line: (id, request) => JSON.stringify({ custom_id: id, params: bodyOf(request) }),
    submit: (lines, _marker, signal) =>
      toldBatch(() => {
        const body = `{"requests":[${lines.join(',')}]}`;
        const headers = { 'content-type': 'application/json' };
        return files.post(PATH, { body, headers, signal }).asResponse();
      }, context(signal)),
    look: (id, signal) =>
      toldBatch(
        () => client.get(`${PATH}/${encodeURIComponent(id)}`, { signal }).asResponse(),
        context(signal),
      ),
    search: async ({ since, requests }, signal) => {
      const batches: RemoteBatch[] = [];
      let after: string | null = null;
      for (let page = 0; page < PAGES; page++) {
        const listed = await list(client, after, context(signal));
        if ('failure' in listed) return listed;
        const recent = listed.data.filter(({ created_at }) => Date.parse(created_at) >= since - SKEW_MS);
        batches.push(...recent.filter((body) => sizeOf(body) === requests).map(batchOf));
        after = listed.last_id ?? null;
        if (recent.length < listed.data.length || listed.has_more !== true || after === null) break;
      }
      return { status: 'found', batches, sure: false };
    },
    // Not by `results_url`: the key goes to no address that a reply names.
    results: ({ id }, mode, signal) =>
      fetchResults(
        () => files.get(`${PATH}/${encodeURIComponent(id)}/results`, { signal }).asResponse(),
        (line, simulator) => resultOf(line, mode, simulator, read, context(signal)),
        context(signal),
      ),
  };
}

function list(
  client: Anthropic,
  after: string | null,
  context: FailureContext,
): Promise<z.infer<typeof Page> | Failed> {
  const query = { limit: PAGE, ...(after !== null && { after_id: after }) };
  return told(() => client.get(PATH, { query, signal: context.signal }).asResponse(), Page, context);
}

async function toldBatch(
  ask: () => Promise<Response>,
  context: FailureContext,
): Promise<RemoteBatch | Failed> {
  const body = await told(ask, Body, context);
  return 'failure' in body ? body : batchOf(body);
}

function sizeOf({ request_counts: counts }: Body): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function batchOf({ id, processing_status, request_counts: counts }: Body): RemoteBatch {
  return {
    status: 'batch',
    id,
    phase: processing_status === 'ended' ? 'ended' : 'working',
    state: processing_status,
    done: counts.succeeded,
    failed: counts.errored + counts.canceled + counts.expired,
    faults: [],
    files: [id],
  };
}

function resultOf(
  text: string,
  mode: OutputShape['mode'],
  simulator: boolean,
  read: SingleCalls['read'],
  context: FailureContext,
): BatchResult {
  const line = Line.safeParse(parseJson(text));
  if (!line.success) return { tells: 'nothing', text: context.redact(text) };
  const { custom_id: id, result } = line.data;
  switch (result.type) {
    case 'canceled':
      return { tells: 'undone', id, why: 'cancelled' };
    case 'expired':
      return { tells: 'undone', id, why: 'expired' };
    case 'errored': {
      const { error, request_id } = result.error;
      const failure = failedItem(STATUS[error.type] ?? 500, { error }, context);
      return { tells: 'reply', id, completion: { ...failure, requestId: request_id ?? null } };
    }
    case 'succeeded': {
      const text = JSON.stringify(result.message) ?? '';
      const heard = { requestId: null, simulator, raw: context.redact(text) };
      return {
        tells: 'reply',
        id,
        completion: readAs(read, text, mode, { heard, httpStatus: 200, context }),
      };
    }
  }
}
