import Anthropic from '@anthropic-ai/sdk';
import { z } from 'zod';
import { findRow } from '../../core/model-table.ts';
import { type Connection, clientSettings, failureContext } from './connection.ts';
import { type Heard, hear, soundUsage } from './hear.ts';
import type { Answered, CompletionRequest, Finish, Provider } from './provider.ts';

const Count = z.number().nullish();

const Reply = z.object({
  model: z.string().nullish(),
  content: z.array(
    z.object({ type: z.string(), text: z.string().optional(), input: z.unknown().optional() }),
  ),
  stop_reason: z.string().nullish(),
  stop_details: z.object({ category: z.string().nullish(), explanation: z.string().nullish() }).nullish(),
  usage: z
    .object({
      input_tokens: Count,
      output_tokens: Count,
      cache_read_input_tokens: Count,
      cache_creation_input_tokens: Count,
      cache_creation: z.object({ ephemeral_1h_input_tokens: Count }).nullish(),
      output_tokens_details: z.object({ thinking_tokens: Count }).nullish(),
    })
    .nullish(),
});
type Reply = z.infer<typeof Reply>;

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
        Reply,
        (reply, heard) => answered(reply, request, heard),
        failureContext(connection, signal),
      ),
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

function answered(reply: Reply, request: CompletionRequest, heard: Heard): Answered {
  const reason = reply.stop_reason ?? null;
  return {
    status: 'answered',
    text: request.output.mode === 'tool' ? callsOf(reply) : textOf(reply),
    finish: finishOf(reason, request.output.mode),
    detail: reply.stop_details?.category ?? reply.stop_details?.explanation ?? reason,
    usage: usageOf(reply),
    servedModel: reply.model ?? null,
    fingerprint: null,
    ...heard,
  };
}

function callsOf(reply: Reply): string {
  const calls = reply.content.filter((block) => block.type === 'tool_use');
  return calls.map((call) => JSON.stringify(call.input)).join('\n');
}

function textOf(reply: Reply): string {
  return reply.content.map((block) => (block.type === 'text' ? (block.text ?? '') : '')).join('');
}

/** Their `input_tokens` leave out what the cache served or took; ours hold all of it. */
function usageOf({ usage }: Reply) {
  const cacheRead = usage?.cache_read_input_tokens ?? 0;
  const cacheWrite = usage?.cache_creation_input_tokens ?? 0;
  return soundUsage({
    input: (usage?.input_tokens ?? Number.NaN) + cacheRead + cacheWrite,
    output: usage?.output_tokens ?? Number.NaN,
    cacheRead,
    cacheWrite,
    cacheWriteHour: usage?.cache_creation?.ephemeral_1h_input_tokens ?? 0,
    reasoning: usage?.output_tokens_details?.thinking_tokens ?? 0,
  });
}

function finishOf(reason: string | null, mode: CompletionRequest['output']['mode']): Finish {
  if (reason === 'end_turn' || reason === 'stop_sequence') return 'stop';
  if (reason === 'tool_use' && mode === 'tool') return 'stop';
  if (reason === 'max_tokens') return 'length';
  if (reason === 'refusal') return 'refusal';
  return reason === 'model_context_window_exceeded' ? 'context' : 'other';
}
