import { z } from 'zod';
import type { Answered, Finish, OutputShape } from './provider.ts';
import { createReader, type Heard, soundUsage } from './reader.ts';

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

/** Reads messages. */
export const readAnthropic = createReader(Reply, answered);

function answered(reply: Reply, mode: OutputShape['mode'], heard: Heard): Answered {
  const reason = reply.stop_reason ?? null;
  return {
    status: 'answered',
    text: mode === 'tool' ? callsOf(reply) : textOf(reply),
    finish: finishOf(reason, mode),
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

function finishOf(reason: string | null, mode: OutputShape['mode']): Finish {
  if (reason === 'end_turn' || reason === 'stop_sequence') return 'stop';
  if (reason === 'tool_use' && mode === 'tool') return 'stop';
  if (reason === 'max_tokens') return 'length';
  if (reason === 'refusal') return 'refusal';
  return reason === 'model_context_window_exceeded' ? 'context' : 'other';
}
