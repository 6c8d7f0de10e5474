import { z } from 'zod';
import type { Answered, Finish, OutputShape } from './provider.ts';
import { createReader, type Heard, soundUsage } from './reader.ts';

/** Their JSON leaves out counts of nothing. */
const Count = z.number().nullish();

const Part = z.object({
  text: z.string().nullish(),
  /** The part is a summary of what the model thought, no word of its answer. */
  thought: z.boolean().nullish(),
  functionCall: z.object({ args: z.unknown() }).nullish(),
});

const Candidate = z.object({
  content: z.object({ parts: z.array(Part).nullish() }).nullish(),
  finishReason: z.string().nullish(),
  finishMessage: z.string().nullish(),
});

/** A reply has a candidate, or says why the prompt was blocked. */
const Reply = z
  .object({
    modelVersion: z.string().nullish(),
    responseId: z.string().nullish(),
    candidates: z.array(Candidate).nullish(),
    promptFeedback: z
      .object({ blockReason: z.string().nullish(), blockReasonMessage: z.string().nullish() })
      .nullish(),
    usageMetadata: z
      .object({
        promptTokenCount: Count,
        candidatesTokenCount: Count,
        thoughtsTokenCount: Count,
        cachedContentTokenCount: Count,
      })
      .nullish(),
  })
  .refine(({ candidates, promptFeedback }) => candidates?.[0] ?? promptFeedback?.blockReason);
type Reply = z.infer<typeof Reply>;

/** Reads replies of `generateContent`. */
export const readGoogle = createReader(Reply, answered);

function answered(reply: Reply, mode: OutputShape['mode'], heard: Heard): Answered {
  const [candidate] = reply.candidates ?? [];
  const parts = (candidate?.content?.parts ?? []).filter((part) => part.thought !== true);
  const blocked = reply.promptFeedback?.blockReason ?? null;
  const reason = candidate?.finishReason ?? null;
  return {
    status: 'answered',
    text: mode === 'tool' ? callsOf(parts) : parts.map(({ text }) => text ?? '').join(''),
    finish: candidate === undefined ? 'filter' : finishOf(reason),
    detail:
      candidate === undefined
        ? `the prompt was blocked: ${reply.promptFeedback?.blockReasonMessage ?? blocked}`
        : (candidate.finishMessage ?? reason),
    usage: usageOf(reply),
    servedModel: reply.modelVersion ?? null,
    fingerprint: null,
    ...heard,
    requestId: heard.requestId ?? reply.responseId ?? null,
  };
}

function callsOf(parts: readonly z.infer<typeof Part>[]): string {
  return parts
    .flatMap(({ functionCall }) => (functionCall ? [JSON.stringify(functionCall.args ?? {})] : []))
    .join('\n');
}

/** Their count of the answer leaves out what was thought; ours holds both. */
function usageOf({ usageMetadata: usage }: Reply) {
  const reasoning = usage?.thoughtsTokenCount ?? 0;
  return soundUsage({
    input: usage?.promptTokenCount ?? Number.NaN,
    output: (usage?.candidatesTokenCount ?? 0) + reasoning,
    cacheRead: usage?.cachedContentTokenCount ?? 0,
    reasoning,
  });
}

const FILTERED = /^(SAFETY|RECITATION|LANGUAGE|BLOCKLIST|PROHIBITED_CONTENT|SPII)$/;

function finishOf(reason: string | null): Finish {
  if (reason === 'STOP') return 'stop';
  if (reason === 'MAX_TOKENS') return 'length';
  return reason !== null && FILTERED.test(reason) ? 'filter' : 'other';
}
