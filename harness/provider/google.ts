import {
  FunctionCallingConfigMode,
  type GenerateContentConfig,
  GoogleGenAI,
  ThinkingLevel,
} from '@google/genai';
import { z } from 'zod';
import { type Connection, failureContext } from './connection.ts';
import { type Heard, hear, parseJson, soundUsage } from './hear.ts';
import type { Answered, CompletionRequest, Finish, Provider } from './provider.ts';

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

/** Gemini, by Google's own API (not Vertex AI). */
export function createGoogle(connection: Connection): Provider {
  const client = new GoogleGenAI({
    apiKey: connection.apiKey ?? 'none',
    vertexai: false,
    httpOptions: { baseUrl: connection.baseUrl.href.replace(/\/$/, '') },
  });
  return {
    simulated: connection.simulated,
    complete: (request, signal) =>
      hear(
        (own) => send(client, connection, request, own),
        Reply,
        (reply, heard) => answered(reply, request, heard),
        failureContext(connection, signal),
      ),
    close: () => connection.transport.close(),
  };
}

/**
 * Sends through the SDK and hands out the reply as it came: the SDK's own reading drops what it does not know, and its
 * errors drop the headers.
 * @throws StatusReply for a status that is no success.
 */
async function send(
  client: GoogleGenAI,
  { transport }: Connection,
  request: CompletionRequest,
  signal: AbortSignal,
): Promise<Response> {
  const replies: Response[] = [];
  const fetch = async (...call: Parameters<typeof transport.fetch>) => {
    replies.push(await transport.fetch(...call));
    return new Response('{}', { headers: { 'content-type': 'application/json' } });
  };
  await client.models.generateContent({
    model: request.model,
    contents: request.messages.map(({ role, text }) => ({
      role: role === 'assistant' ? 'model' : 'user',
      parts: [{ text }],
    })),
    config: { ...configOf(request), abortSignal: signal, httpOptions: { fetch } },
  });
  const [reply] = replies;
  if (reply === undefined) throw new Error('the SDK sent nothing');
  if (!reply.ok) throw new StatusReply(reply, await reply.text());
  return reply;
}

function configOf({ model, system, params, output }: CompletionRequest): GenerateContentConfig {
  const { temperature, seed, reasoning_effort: effort, max_output_tokens } = params;
  return {
    maxOutputTokens: max_output_tokens,
    candidateCount: 1,
    // Else the SDK sends more requests on its own where a reply can be continued.
    automaticContinuation: false,
    ...(system !== '' && { systemInstruction: system }),
    ...(temperature !== null && { temperature }),
    ...(seed !== null && { seed }),
    ...(effort !== null && { thinkingConfig: thinkingOf(model, effort) }),
    ...(output.mode === 'structured' && {
      responseMimeType: 'application/json',
      responseJsonSchema: output.schema,
    }),
    ...(output.mode === 'tool' && {
      tools: [{ functionDeclarations: [{ name: output.name, parametersJsonSchema: output.schema }] }],
      toolConfig: {
        functionCallingConfig: { mode: FunctionCallingConfigMode.ANY, allowedFunctionNames: [output.name] },
      },
    }),
  };
}

type Effort = NonNullable<CompletionRequest['params']['reasoning_effort']>;

const LEVELS: Record<Effort, ThinkingLevel> = {
  minimal: ThinkingLevel.MINIMAL,
  low: ThinkingLevel.LOW,
  medium: ThinkingLevel.MEDIUM,
  high: ThinkingLevel.HIGH,
};
/** Gemini 2.5 counts tokens instead; these are the counts that Google's own OpenAI endpoint gives the same words. */
const BUDGETS: Record<Effort, number> = { minimal: 1024, low: 1024, medium: 8192, high: 24_576 };

function thinkingOf(model: string, effort: Effort) {
  return model.startsWith('gemini-2.5')
    ? { thinkingBudget: BUDGETS[effort] }
    : { thinkingLevel: LEVELS[effort] };
}

function answered(reply: Reply, request: CompletionRequest, heard: Heard): Answered {
  const [candidate] = reply.candidates ?? [];
  const parts = (candidate?.content?.parts ?? []).filter((part) => part.thought !== true);
  const blocked = reply.promptFeedback?.blockReason ?? null;
  const reason = candidate?.finishReason ?? null;
  return {
    status: 'answered',
    text: request.output.mode === 'tool' ? callsOf(parts) : parts.map(({ text }) => text ?? '').join(''),
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

const RetryInfo = z.object({
  error: z.object({ details: z.array(z.object({ retryDelay: z.string().optional() })) }),
});

/** A reply whose status is no success, in the form in which the other SDKs throw theirs. */
class StatusReply extends Error {
  readonly status: number;
  readonly headers: Headers;
  readonly error: unknown;

  constructor(reply: Response, text: string) {
    super(text.slice(0, 2000));
    this.status = reply.status;
    this.error = parseJson(text);
    this.headers = new Headers(reply.headers);
    // Google says how long to wait in the body.
    const advice = RetryInfo.safeParse(this.error);
    const delay = advice.data?.error.details.find(({ retryDelay }) => retryDelay !== undefined)?.retryDelay;
    if (delay !== undefined && !this.headers.has('retry-after'))
      this.headers.set('retry-after', delay.replace(/s$/, ''));
  }
}
