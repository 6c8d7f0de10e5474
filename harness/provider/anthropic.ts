import Anthropic from '@anthropic-ai/sdk';
import { findRow } from '../../core/model-table.ts';
import { createAnthropicBatches } from './anthropic-batches.ts';
import { readAnthropic } from './anthropic-reply.ts';
import { type Connection, clientSettings, failureContext } from './connection.ts';
import { hear } from './hear.ts';
import type { CompletionRequest, Provider } from './provider.ts';

/** Anthropic's messages. The part of the prompt that all samples share is marked for their cache where it is long enough. */
export function createAnthropic(connection: Connection): Provider {
  const client = new Anthropic({
    ...clientSettings(connection),
    apiKey: connection.apiKey,
    openTelemetry: false,
  });
  return {
    simulated: connection.simulated,
    complete: (request, signal) =>
      hear(
        // Not `messages.create`: it warns on the console at each call of a deprecated model.
        (own) => client.post('/v1/messages', { body: bodyOf(request, connection), signal: own }).asResponse(),
        readAnthropic,
        request.output.mode,
        failureContext(connection, signal),
      ),
    batches: createAnthropicBatches(connection, client, {
      bodyOf: (request) => bodyOf(request, connection),
      read: readAnthropic,
    }),
    close: () => connection.transport.close(),
  };
}

/** The SDK's types have dropped `temperature`, which older models still take. */
type Body = Anthropic.MessageCreateParamsNonStreaming & { temperature?: number };

function bodyOf(
  { model, system, messages, params, output }: CompletionRequest,
  { models }: Connection,
): Body {
  const effort = params.reasoning_effort === 'minimal' ? 'low' : params.reasoning_effort;
  const config = {
    ...(effort !== null && { effort }),
    ...(output.mode === 'structured' && {
      format: { type: 'json_schema' as const, schema: output.schema },
    }),
  };
  return {
    model,
    max_tokens: params.max_output_tokens,
    messages: messages.map(({ role, text }) => ({ role, content: text })),
    ...(system !== '' && {
      system: [
        {
          type: 'text',
          text: system,
          ...(isLongEnough(system, findRow(models, 'anthropic', model)?.cache_from) && {
            cache_control: { type: 'ephemeral' },
          }),
        },
      ],
    }),
    ...(params.temperature !== null && { temperature: params.temperature }),
    ...(Object.keys(config).length > 0 && { output_config: config }),
    ...(output.mode === 'tool' && {
      tools: [{ name: output.name, input_schema: { ...output.schema, type: 'object' } }],
      tool_choice: { type: 'tool', name: output.name, disable_parallel_tool_use: true },
    }),
  };
}

/** Fewest characters a token: a text with fewer than this many times the tokens is surely too short. */
const CHARS_A_TOKEN = 2;

/** Might a text have so many tokens? Asking for a cache that a text is too short for costs nothing. */
function isLongEnough(text: string, tokens: number | undefined): boolean {
  return tokens !== undefined && text.length >= tokens * CHARS_A_TOKEN;
}
