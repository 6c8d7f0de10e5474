import { z } from 'zod';
import { failed } from './failure.ts';
import type { Answered, Failed, Finish, OutputShape } from './provider.ts';
import { createReader, type Heard, soundUsage } from './reader.ts';

const Count = z.number().nullish();

const Part = z.object({ type: z.string(), text: z.string().optional(), refusal: z.string().optional() });

const Item = z.object({
  type: z.string(),
  content: z.array(Part).nullish(),
  arguments: z.string().optional(),
});
type Item = z.infer<typeof Item>;

const Reply = z.object({
  model: z.string().nullish(),
  status: z.string(),
  error: z.object({ code: z.string().nullish(), message: z.string() }).nullish(),
  incomplete_details: z.object({ reason: z.string().nullish() }).nullish(),
  output: z.array(Item),
  usage: z
    .object({
      input_tokens: Count,
      output_tokens: Count,
      input_tokens_details: z.object({ cached_tokens: Count }).nullish(),
      output_tokens_details: z.object({ reasoning_tokens: Count }).nullish(),
    })
    .nullish(),
});
type Reply = z.infer<typeof Reply>;

/** Reads responses. */
export const readOpenAiResponses = createReader(Reply, answered);

function answered(reply: Reply, mode: OutputShape['mode'], heard: Heard): Answered | Failed {
  if (reply.error) {
    const { code, message } = reply.error;
    return failed(code === 'rate_limit_exceeded' ? 'rate_limited' : 'server', message, {
      requestId: heard.requestId,
      raw: heard.raw,
      maybeBilled: true,
    });
  }
  const parts = reply.output.flatMap((item) => item.content ?? []);
  const refusal = parts.find((part) => part.type === 'refusal')?.refusal;
  return {
    status: 'answered',
    text: mode === 'tool' ? callsOf(reply.output) : textOf(parts),
    finish: refusal !== undefined ? 'refusal' : finishOf(reply),
    detail: refusal ?? reply.incomplete_details?.reason ?? reply.status,
    usage: soundUsage({
      input: reply.usage?.input_tokens ?? Number.NaN,
      output: reply.usage?.output_tokens ?? Number.NaN,
      cacheRead: reply.usage?.input_tokens_details?.cached_tokens ?? 0,
      reasoning: reply.usage?.output_tokens_details?.reasoning_tokens ?? 0,
    }),
    servedModel: reply.model ?? null,
    fingerprint: null,
    ...heard,
  };
}

function callsOf(items: readonly Item[]): string {
  const calls = items.filter((item) => item.type === 'function_call');
  return calls.map((call) => call.arguments ?? '').join('\n');
}

function textOf(parts: readonly z.infer<typeof Part>[]): string {
  return parts.map((part) => (part.type === 'output_text' ? (part.text ?? '') : '')).join('');
}

function finishOf(reply: Reply): Finish {
  if (reply.status === 'completed') return 'stop';
  if (reply.status !== 'incomplete') return 'other';
  const reason = reply.incomplete_details?.reason;
  if (reason === 'max_output_tokens') return 'length';
  return reason === 'content_filter' ? 'filter' : 'other';
}
