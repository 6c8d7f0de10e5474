import OpenAI from 'openai';
import { z } from 'zod';
import { type Connection, clientSettings, failureContext } from './connection.ts';
import { type Heard, hear, soundUsage } from './hear.ts';
import type { Answered, CompletionRequest, Finish, Provider } from './provider.ts';

type Body = OpenAI.Chat.ChatCompletionCreateParamsNonStreaming;

const Count = z.number().nullish();

const Reply = z.object({
  model: z.string().nullish(),
  system_fingerprint: z.string().nullish(),
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({
          content: z.string().nullish(),
          refusal: z.string().nullish(),
          tool_calls: z.array(z.object({ function: z.object({ arguments: z.string() }) })).nullish(),
        }),
      }),
    )
    .min(1),
  usage: z
    .object({
      prompt_tokens: Count,
      completion_tokens: Count,
      prompt_tokens_details: z.object({ cached_tokens: Count }).nullish(),
      completion_tokens_details: z.object({ reasoning_tokens: Count }).nullish(),
    })
    .nullish(),
});
type Reply = z.infer<typeof Reply>;

/**
 * OpenAI's chat completions, and every endpoint that speaks them.
 * @param compatible the server is someone else's: it gets the older name of the token limit, and no account headers.
 */
export function createOpenAi(connection: Connection, compatible: boolean): Provider {
  const client = new OpenAI({
    ...clientSettings(connection),
    apiKey: connection.apiKey ?? 'none',
    adminAPIKey: null,
    ...(compatible && { organization: null, project: null }),
    ...(connection.apiKey === null && { defaultHeaders: { Authorization: null } }),
  });
  return {
    simulated: connection.simulated,
    complete: (request, signal) =>
      hear(
        (own) => client.chat.completions.create(bodyOf(request, compatible), { signal: own }).asResponse(),
        Reply,
        (reply, heard) => answered(reply, request, heard),
        failureContext(connection, signal),
      ),
    close: () => connection.transport.close(),
  };
}

function bodyOf({ model, system, messages, params, output }: CompletionRequest, compatible: boolean): Body {
  const { temperature, seed, reasoning_effort, max_output_tokens: limit } = params;
  return {
    model,
    messages: [
      ...(system === '' ? [] : [{ role: 'system' as const, content: system }]),
      ...messages.map(({ role, text }) => ({ role, content: text })),
    ],
    ...(compatible ? { max_tokens: limit } : { max_completion_tokens: limit }),
    ...(temperature !== null && { temperature }),
    ...(seed !== null && { seed }),
    ...(reasoning_effort !== null && { reasoning_effort }),
    ...(output.mode === 'structured' && {
      response_format: {
        type: 'json_schema',
        json_schema: { name: output.name, schema: output.schema, strict: true },
      },
    }),
    ...(output.mode === 'tool' && {
      tools: [{ type: 'function', function: { name: output.name, parameters: output.schema, strict: true } }],
      tool_choice: { type: 'function', function: { name: output.name } },
      parallel_tool_calls: false,
    }),
  };
}

function answered(reply: Reply, request: CompletionRequest, heard: Heard): Answered {
  const [choice] = reply.choices;
  const message = choice?.message;
  const calls = message?.tool_calls ?? [];
  const refusal = message?.refusal ?? '';
  const reason = choice?.finish_reason ?? null;
  return {
    status: 'answered',
    text:
      request.output.mode === 'tool'
        ? calls.map((call) => call.function.arguments).join('\n')
        : (message?.content ?? ''),
    finish: refusal !== '' ? 'refusal' : finishOf(reason, request.output.mode),
    detail: refusal !== '' ? refusal : reason,
    usage: soundUsage({
      input: reply.usage?.prompt_tokens ?? Number.NaN,
      output: reply.usage?.completion_tokens ?? Number.NaN,
      cacheRead: reply.usage?.prompt_tokens_details?.cached_tokens ?? 0,
      reasoning: reply.usage?.completion_tokens_details?.reasoning_tokens ?? 0,
    }),
    servedModel: reply.model ?? null,
    fingerprint: reply.system_fingerprint ?? null,
    ...heard,
  };
}

function finishOf(reason: string | null, mode: CompletionRequest['output']['mode']): Finish {
  if (reason === 'stop' || (reason === 'tool_calls' && mode === 'tool')) return 'stop';
  if (reason === 'length') return 'length';
  return reason === 'content_filter' ? 'filter' : 'other';
}
