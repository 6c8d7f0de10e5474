import { z } from 'zod';
import type { Answered, Finish, OutputShape } from './provider.ts';
import { createReader, type Heard, soundUsage } from './reader.ts';

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

/** Reads chat completions. */
export const readOpenAi = createReader(Reply, answered);

function answered(reply: Reply, mode: OutputShape['mode'], heard: Heard): Answered {
  const [choice] = reply.choices;
  const message = choice?.message;
  const calls = message?.tool_calls ?? [];
  const refusal = message?.refusal ?? '';
  const reason = choice?.finish_reason ?? null;
  return {
    status: 'answered',
    text:
      mode === 'tool' ? calls.map((call) => call.function.arguments).join('\n') : (message?.content ?? ''),
    finish: refusal !== '' ? 'refusal' : finishOf(reason, mode),
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

function finishOf(reason: string | null, mode: OutputShape['mode']): Finish {
  if (reason === 'stop' || (reason === 'tool_calls' && mode === 'tool')) return 'stop';
  if (reason === 'length') return 'length';
  return reason === 'content_filter' ? 'filter' : 'other';
}
