import { z } from 'zod';
import { type BatchDesk, type BatchReply, type ItemEnd, refusal, type SimulatedBatch } from './batch.ts';
import { badRequest, type Dialect } from './call.ts';

const Create = z.strictObject({
  requests: z
    .array(z.strictObject({ custom_id: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/), params: z.unknown() }))
    .min(1),
});

const PATH = '/v1/messages/batches';

/** Anthropic's message batches. */
export function createAnthropicBatches(desk: BatchDesk, dialect: Dialect) {
  return async (method: string, url: URL, body: string): Promise<BatchReply | null> => {
    const { pathname: path } = url;
    if (method === 'POST' && path === PATH) {
      const { requests } = Create.parse(JSON.parse(body));
      const items = requests.map(({ custom_id, params }) => ({ id: custom_id, body: params }));
      const made = desk.create({ dialect, endpoint: '/v1/messages', items, metadata: {} });
      if ('error' in made) return refusal(made, dialect);
      return made.fault?.kind === 'untold' ? { untold: made.fault.how } : { json: batchBody(made) };
    }
    if (method === 'GET' && path === PATH) {
      const newest = [...desk.all].reverse();
      const after = newest.findIndex(({ id }) => id === url.searchParams.get('after_id')) + 1;
      const page = newest.slice(after, after + Number(url.searchParams.get('limit') ?? 20));
      return {
        json: {
          data: page.map(batchBody),
          has_more: after + page.length < newest.length,
          first_id: page[0]?.id ?? null,
          last_id: page.at(-1)?.id ?? null,
        },
      };
    }
    const [, id = '', results] = /^\/v1\/messages\/batches\/([^/]+)(\/results)?$/.exec(path) ?? [];
    if (method !== 'GET' || id === '') return null;
    const batch = results === undefined ? desk.look(id) : (desk.all.find((one) => one.id === id) ?? null);
    const ends = batch === null || results === undefined ? [] : desk.fetch(batch);
    if (batch === null || ends === null)
      return refusal(badRequest('Not found.', { status: 404, type: 'not_found_error' }), dialect);
    if (results === undefined) return { json: batchBody(batch) };
    const lines = ends.map(({ id: custom_id, end }) => ({ custom_id, result: resultOf(end, dialect) }));
    return { lines: batch.fault?.kind === 'disorder' ? [...lines, null] : lines };
  };
}

function resultOf(end: ItemEnd, dialect: Dialect) {
  switch (end.end) {
    case 'answered':
      return { type: 'succeeded', message: end.body };
    case 'failed':
      return { type: 'errored', error: dialect.error(end.error) };
    case 'expired':
      return { type: 'expired' };
    case 'cancelled':
      return { type: 'canceled' };
  }
}

function batchBody({ id, ends, items, createdAt }: SimulatedBatch) {
  const count = (end: ItemEnd['end']) => ends?.filter((one) => one.end.end === end).length ?? 0;
  return {
    id,
    type: 'message_batch',
    processing_status: ends === null ? 'in_progress' : 'ended',
    created_at: new Date(createdAt).toISOString(),
    expires_at: new Date(createdAt + 86_400_000).toISOString(),
    ended_at: ends === null ? null : new Date(createdAt).toISOString(),
    archived_at: null,
    cancel_initiated_at: null,
    results_url: ends === null ? null : `http://127.0.0.1:1/${id}`,
    request_counts: {
      processing: ends === null ? items.length : 0,
      succeeded: count('answered'),
      errored: count('failed'),
      canceled: count('cancelled'),
      expired: count('expired'),
    },
  };
}
