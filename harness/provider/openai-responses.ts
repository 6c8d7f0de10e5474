import OpenAI from 'openai';
import { z } from 'zod';
import { type Connection, clientSettings, failureContext } from './connection.ts';
import { failed } from './failure.ts';
import { type Heard, hear, soundUsage } from './hear.ts';
import type { Answered, CompletionRequest, Failed, Finish, Provider } from './provider.ts';

type Body = OpenAI.Responses.ResponseCreateParamsNonStreaming;

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

/** OpenAI's responses. Nothing is stored on their side, and each call stands alone. */
export function createOpenAiResponses(connection: Connection): Provider {
  const client = new OpenAI({
    ...clientSettings(connection),
    apiKey: connection.apiKey ?? 'none',
    adminAPIKey: null,
  });
  return {
    simulated: connection.simulated,
    complete: (request, signal) =>
      hear(
        (own) => client.responses.create(bodyOf(request), { signal: own }).asResponse(),
        Reply,
        (reply, heard) => answered(reply, request, heard),
        failureContext(connection, signal),
      ),
    close: () => connection.transport.close(),
  };
}

function bodyOf({ model, system, messages, params, output }: CompletionRequest): Body {
  const { temperature, reasoning_effort: effort, max_output_tokens } = params;
  return {
    model,
    input: messages.map(({ role, text }) => ({ role, content: text })),
    max_output_tokens,
    store: false,
    ...(system !== '' && { instructions: system }),
    ...(temperature !== null && { temperature }),
    ...(effort !== null && { reasoning: { effort } }),
    ...(output.mode === 'structured' && {
      text: { format: { type: 'json_schema', name: output.name, schema: output.schema, strict: true } },
    }),
    ...(output.mode === 'tool' && {
      tools: [{ type: 'function', name: output.name, parameters: output.schema, strict: true }],
      tool_choice: { type: 'function', name: output.name },
      parallel_tool_calls: false,
    }),
  };
}

function answered(reply: Reply, request: CompletionRequest, heard: Heard): Answered | Failed {
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
    text: request.output.mode === 'tool' ? callsOf(reply.output) : textOf(parts),
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
