import {
  FunctionCallingConfigMode,
  type GenerateContentConfig,
  GoogleGenAI,
  ThinkingLevel,
} from '@google/genai';
import { z } from 'zod';
import { type Connection, failureContext } from './connection.ts';
import { readGoogle } from './google-reply.ts';
import { hear } from './hear.ts';
import type { CompletionRequest, Provider } from './provider.ts';
import { parseJson } from './reader.ts';

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
        readGoogle,
        request.output.mode,
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
