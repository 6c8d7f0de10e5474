import { z } from 'zod';
import {
  type BatchDesk,
  type BatchItem,
  type BatchReply,
  Metadata,
  refusal,
  type SimulatedBatch,
} from './batch.ts';
import { badRequest, type Dialect } from './call.ts';

const Create = z.strictObject({
  input_file_id: z.string(),
  endpoint: z.enum(['/v1/chat/completions', '/v1/responses']),
  completion_window: z.literal('24h'),
  metadata: Metadata.optional(),
});

const Line = z.strictObject({
  custom_id: z.string().min(1),
  method: z.literal('POST'),
  url: z.string(),
  body: z.unknown(),
});

/** OpenAI's files and batches. */
export function createOpenAiBatches(desk: BatchDesk, dialects: readonly Dialect[]) {
  const files: string[] = [];
  const [chat] = dialects;
  return async (method: string, url: URL, body: string, contentType: string): Promise<BatchReply | null> => {
    const { pathname: path } = url;
    if (chat === undefined) return null;
    if (method === 'POST' && path === '/v1/files') {
      const form = await new Response(body, { headers: { 'content-type': contentType } }).formData();
      const file = form.get('file');
      if (form.get('purpose') !== 'batch' || !(file instanceof Blob))
        return refusal(badRequest('a file with the purpose batch is expected'), chat);
      files.push(await file.text());
      return { json: { id: `file-${files.length}`, object: 'file', purpose: 'batch', bytes: file.size } };
    }
    if (method === 'POST' && path === '/v1/batches') {
      const create = Create.parse(JSON.parse(body));
      const dialect = dialects.find((one) => one.path.test(create.endpoint));
      const text = files[Number(create.input_file_id.slice('file-'.length)) - 1];
      if (dialect === undefined || text === undefined) return refusal(badRequest('no such file'), chat);
      const items = text
        .trimEnd()
        .split('\n')
        .map((line): BatchItem => {
          const { custom_id, body: request, url: to } = Line.parse(JSON.parse(line));
          if (to !== create.endpoint) throw new Error(`a line goes to ${to}`);
          return { id: custom_id, body: request };
        });
      const made = desk.create({
        dialect,
        endpoint: create.endpoint,
        items,
        metadata: create.metadata ?? {},
      });
      if ('error' in made) return refusal(made, chat);
      return made.fault?.kind === 'untold' ? { untold: made.fault.how } : { json: batchBody(made) };
    }
    if (method === 'GET' && path === '/v1/batches') {
      const newest = [...desk.all].reverse();
      const after = newest.findIndex(({ id }) => id === url.searchParams.get('after')) + 1;
      const page = newest.slice(after, after + Number(url.searchParams.get('limit') ?? 20));
      return {
        json: { object: 'list', data: page.map(batchBody), has_more: after + page.length < newest.length },
      };
    }
    const [, id = ''] = /^\/v1\/batches\/([^/]+)$/.exec(path) ?? [];
    if (method === 'GET' && id !== '') {
      const found = desk.look(id);
      return found === null ? notFound(chat) : { json: batchBody(found) };
    }
    const [, kind = '', number = ''] = /^\/v1\/files\/(output|errors)-(\d+)\/content$/.exec(path) ?? [];
    const batch = desk.all[Number(number) - 1];
    if (method !== 'GET' || batch === undefined) return null;
    const ends = desk.fetch(batch);
    if (ends === null) return notFound(chat);
    const wanted = ends.filter(({ end }) => (kind === 'output') === (end.end === 'answered'));
    const lines = wanted.map(({ id: custom_id, end }, index) => ({
      id: `batch_req_${index}`,
      custom_id,
      ...lineEnd(end, batch),
    }));
    return { lines: batch.fault?.kind === 'disorder' && kind === 'output' ? [...lines, null] : lines };
  };
}

function lineEnd(end: NonNullable<SimulatedBatch['ends']>[number]['end'], { dialect }: SimulatedBatch) {
  switch (end.end) {
    case 'answered':
      return { response: { status_code: 200, request_id: 'req_in_batch', body: end.body }, error: null };
    case 'failed':
      return {
        response: {
          status_code: end.error.status,
          request_id: 'req_in_batch',
          body: dialect.error(end.error),
        },
        error: null,
      };
    default:
      return { response: null, error: { code: `batch_${end.end}`, message: `This request was ${end.end}.` } };
  }
}

function notFound(dialect: Dialect): BatchReply {
  return refusal(badRequest('No such object.', { status: 404, code: 'not_found' }), dialect);
}

function batchBody(batch: SimulatedBatch) {
  const { ends, fault } = batch;
  const answered = ends?.filter(({ end }) => end.end === 'answered').length ?? 0;
  const others = (ends?.length ?? 0) - answered;
  const silent = fault?.kind === 'partial' && fault.silent === true;
  const invalid = fault?.kind === 'invalid' && batch.looks > 0;
  return {
    id: batch.id,
    object: 'batch',
    endpoint: batch.endpoint,
    completion_window: '24h',
    created_at: Math.floor(batch.createdAt / 1000),
    metadata: batch.metadata,
    input_file_id: 'file-1',
    status: invalid
      ? 'failed'
      : ends === null
        ? 'in_progress'
        : fault?.kind === 'partial'
          ? fault.end
          : 'completed',
    output_file_id: answered > 0 ? `output-${batch.number}` : null,
    error_file_id: others > 0 && !silent ? `errors-${batch.number}` : null,
    request_counts: { total: batch.items.length, completed: answered, failed: others },
    errors: invalid
      ? {
          object: 'list',
          data: fault.lines.map((line) => ({
            code: fault.code ?? 'invalid_request',
            line,
            message: 'Missing required parameter.',
            param: null,
          })),
        }
      : null,
  };
}
