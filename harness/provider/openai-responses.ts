import OpenAI from 'openai';
import { type Connection, clientSettings, failureContext } from './connection.ts';
import { hear } from './hear.ts';
import { createOpenAiBatches } from './openai-batches.ts';
import { readOpenAiResponses } from './openai-responses-reply.ts';
import type { CompletionRequest, Provider } from './provider.ts';

type Body = OpenAI.Responses.ResponseCreateParamsNonStreaming;

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
        readOpenAiResponses,
        request.output.mode,
        failureContext(connection, signal),
      ),
    batches: createOpenAiBatches(connection, client, {
      endpoint: '/v1/responses',
      bodyOf,
      read: readOpenAiResponses,
    }),
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
