import type OpenAI from 'openai';
import { z } from 'zod';
import { fetchResults, type SingleCalls } from './batch-results.ts';
import { type Connection, clientSettings, failureContext } from './connection.ts';
import { type FailureContext, failedItem } from './failure.ts';
import { readAs } from './hear.ts';
import type { Batches, BatchResult, Failed, OutputShape, RemoteBatch } from './provider.ts';
import { parseJson } from './reader.ts';
import { told } from './told.ts';

/** What the marker is called in a batch's metadata. */
const MARKER = 'touchstone';

/** Batches listed at a time, and how many pages are turned in search of one. */
const PAGE = 100;
const PAGES = 20;
/** How far our clock and theirs may be apart, milliseconds. */
const SKEW_MS = 3_600_000;

const Body = z.object({
  id: z.string(),
  status: z.string(),
  created_at: z.number().nullish(),
  output_file_id: z.string().nullish(),
  error_file_id: z.string().nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
  request_counts: z.object({ completed: z.number(), failed: z.number() }).nullish(),
  errors: z
    .object({
      data: z
        .array(
          z.object({ code: z.string().nullish(), line: z.number().nullish(), message: z.string().nullish() }),
        )
        .nullish(),
    })
    .nullish(),
});
type Body = z.infer<typeof Body>;

const Page = z.object({ data: z.array(Body), has_more: z.boolean().nullish() });

const Line = z.object({
  custom_id: z.string(),
  response: z
    .object({ status_code: z.number().int(), request_id: z.string().nullish(), body: z.unknown() })
    .nullish(),
  error: z.object({ code: z.string().nullish(), message: z.string().nullish() }).nullish(),
});

const File = z.object({ id: z.string() });

/** OpenAI's batches, over chat completions or responses: a file goes up, a file of results and one of errors come down. */
export function createOpenAiBatches(
  connection: Connection,
  client: OpenAI,
  { endpoint, bodyOf, read }: SingleCalls & { endpoint: '/v1/chat/completions' | '/v1/responses' },
): Batches {
  const files = client.withOptions({ ...clientSettings(connection), fetch: connection.transport.files });
  const context = (signal: AbortSignal) => failureContext(connection, signal);
  return {
    most: { requests: 50_000, bytes: 200_000_000 },
    line: (id, request) =>
      JSON.stringify({ custom_id: id, method: 'POST', url: endpoint, body: bodyOf(request) }),
    submit: async (lines, marker, signal) => {
      const file = await upload(files, lines, context(signal));
      if ('failure' in file) return { ...file, maybeBilled: false };
      const create = (own: AbortSignal) =>
        client.batches
          .create(
            {
              input_file_id: file.id,
              endpoint,
              completion_window: '24h',
              metadata: { [MARKER]: marker },
            },
            { signal: own },
          )
          .asResponse();
      return heardBatch(create, context(signal));
    },
    look: (id, signal) =>
      heardBatch((own) => client.batches.retrieve(id, { signal: own }).asResponse(), context(signal)),
    search: async ({ marker, since }, signal) => {
      const batches: RemoteBatch[] = [];
      let after: string | undefined;
      for (let page = 0; page < PAGES; page++) {
        const listed = await list(client, after, context(signal));
        if ('failure' in listed) return listed;
        const { data, has_more } = listed;
        batches.push(...data.filter(({ metadata }) => metadata?.[MARKER] === marker).map(batchOf));
        const last = data.at(-1);
        if (last === undefined || has_more !== true || (last.created_at ?? 0) * 1000 < since - SKEW_MS) break;
        after = last.id;
      }
      return { status: 'found', batches, sure: true };
    },
    results: async function* ({ files: ids }, mode, signal) {
      for (const id of ids)
        yield* fetchResults(
          () => files.files.content(id, { signal }),
          (line, simulator) => resultOf(line, mode, simulator, read, context(signal)),
          context(signal),
        );
    },
  };
}

async function upload(files: OpenAI, lines: readonly string[], context: FailureContext) {
  const body = new globalThis.File(
    lines.map((line) => `${line}\n`),
    'touchstone.jsonl',
  );
  return told(
    () => files.files.create({ file: body, purpose: 'batch' }, { signal: context.signal }).asResponse(),
    File,
    context,
  );
}

function list(client: OpenAI, after: string | undefined, context: FailureContext) {
  const query = { limit: PAGE, ...(after !== undefined && { after }) };
  return told(() => client.batches.list(query, { signal: context.signal }).asResponse(), Page, context);
}

async function heardBatch(
  send: (signal: AbortSignal) => Promise<Response>,
  context: FailureContext,
): Promise<RemoteBatch | Failed> {
  const body = await told(() => send(context.signal), Body, context);
  return 'failure' in body ? body : batchOf(body);
}

function batchOf(body: Body): RemoteBatch {
  const { id, status, request_counts: counts, errors } = body;
  const ended = status === 'completed' || status === 'expired' || status === 'cancelled';
  return {
    status: 'batch',
    id,
    phase: status === 'failed' ? 'refused' : ended ? 'ended' : 'working',
    state: status,
    done: counts?.completed ?? 0,
    failed: counts?.failed ?? 0,
    faults: (errors?.data ?? []).map(({ code, line, message }) => ({
      line: line ?? null,
      message: [code, message].filter((part) => part).join(': '),
      full: code === 'token_limit_exceeded',
    })),
    files: [body.output_file_id, body.error_file_id].flatMap((file) => file ?? []),
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
  const { custom_id: id, response, error } = line.data;
  const code = error?.code ?? '';
  if (code === 'batch_expired') return { tells: 'undone', id, why: 'expired' };
  if (code === 'batch_cancelled') return { tells: 'undone', id, why: 'cancelled' };
  if (response === null || response === undefined)
    return { tells: 'reply', id, completion: failedItem(500, error, context) };
  const { status_code, body } = response;
  const heard = {
    requestId: response.request_id ?? null,
    simulator,
    raw: context.redact(JSON.stringify(body) ?? ''),
  };
  const completion =
    status_code === 200
      ? readAs(read, JSON.stringify(body) ?? '', mode, { heard, httpStatus: status_code, context })
      : { ...failedItem(status_code, body, context), requestId: heard.requestId };
  return { tells: 'reply', id, completion };
}
