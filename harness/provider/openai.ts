import OpenAI from 'openai';
import { type Connection, clientSettings, failureContext } from './connection.ts';
import { hear } from './hear.ts';
import { createOpenAiBatches } from './openai-batches.ts';
import { readOpenAi } from './openai-reply.ts';
import type { CompletionRequest, Provider } from './provider.ts';

type Body = OpenAI.Chat.ChatCompletionCreateParamsNonStreaming;

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
        readOpenAi,
        request.output.mode,
        failureContext(connection, signal),
      ),
    ...(!compatible && {
      batches: createOpenAiBatches(connection, client, {
        endpoint: '/v1/chat/completions',
        bodyOf: (request) => bodyOf(request, compatible),
        read: readOpenAi,
      }),
    }),
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
