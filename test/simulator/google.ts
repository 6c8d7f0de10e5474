import { z } from 'zod';
import { badRequest, type Dialect, type SimulatedAnswer, type SimulatedRequest } from './call.ts';

const Text = z.strictObject({ text: z.string().min(1) });

const Request = z.strictObject({
  contents: z.array(z.strictObject({ role: z.enum(['user', 'model']), parts: z.array(Text).min(1) })).min(1),
  systemInstruction: z.strictObject({ role: z.string().optional(), parts: z.array(Text).min(1) }).optional(),
  generationConfig: z
    .strictObject({
      maxOutputTokens: z.number().int().positive().optional(),
      candidateCount: z.literal(1).optional(),
      temperature: z.number().min(0).max(2).optional(),
      seed: z.number().int().optional(),
      responseMimeType: z.enum(['application/json', 'text/plain']).optional(),
      responseJsonSchema: z.unknown().optional(),
      thinkingConfig: z
        .strictObject({
          thinkingBudget: z.number().int().optional(),
          thinkingLevel: z.enum(['MINIMAL', 'LOW', 'MEDIUM', 'HIGH']).optional(),
        })
        .optional(),
    })
    .default({}),
  tools: z
    .array(
      z.strictObject({
        functionDeclarations: z.array(
          z.strictObject({ name: z.string(), parametersJsonSchema: z.unknown() }),
        ),
      }),
    )
    .optional(),
  toolConfig: z
    .strictObject({
      functionCallingConfig: z.strictObject({
        mode: z.literal('ANY'),
        allowedFunctionNames: z.array(z.string()),
      }),
    })
    .optional(),
});

/** Google's `generateContent`. */
export const google: Dialect = {
  name: 'google',
  path: /^\/v1beta\/models\/[^/:]+:generateContent$/,
  usageField: 'usageMetadata',
  read: (body, path) => {
    const parsed = Request.safeParse(body);
    if (!parsed.success) return badRequest(z.prettifyError(parsed.error), { type: 'INVALID_ARGUMENT' });
    const { contents, systemInstruction, generationConfig: config, tools } = parsed.data;
    const model = /models\/([^/:]+):/.exec(path)?.[1] ?? '';
    const counts = config.thinkingConfig?.thinkingBudget !== undefined;
    if (config.thinkingConfig !== undefined && counts !== model.startsWith('gemini-2.5'))
      return badRequest('Thinking level is not supported for this model.', { type: 'INVALID_ARGUMENT' });
    const declared = tools?.[0]?.functionDeclarations[0];
    const structured = config.responseMimeType === 'application/json';
    const join = (parts: readonly { text: string }[]) => parts.map(({ text }) => text).join('');
    return {
      request: {
        model,
        system: join(systemInstruction?.parts ?? []),
        messages: contents.map(({ role, parts }) => ({
          role: role === 'model' ? 'assistant' : 'user',
          text: join(parts),
        })),
        mode: structured ? 'structured' : declared !== undefined ? 'tool' : 'text',
        schema: config.responseJsonSchema ?? declared?.parametersJsonSchema ?? null,
        maxTokens: config.maxOutputTokens ?? 8192,
      },
    };
  },
  reply: (request, answer, served, id) => ({
    ...(answer.finish === 'filter' && answer.text === ''
      ? { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } }
      : { candidates: [{ ...contentOf(request, answer), finishReason: FINISH[answer.finish], index: 0 }] }),
    usageMetadata: {
      promptTokenCount: answer.usage.input,
      ...(answer.usage.cached > 0 && { cachedContentTokenCount: answer.usage.cached }),
      candidatesTokenCount: answer.usage.output - answer.usage.reasoning,
      ...(answer.usage.reasoning > 0 && { thoughtsTokenCount: answer.usage.reasoning }),
      totalTokenCount: answer.usage.input + answer.usage.output,
      promptTokensDetails: [{ modality: 'TEXT', tokenCount: answer.usage.input }],
    },
    modelVersion: served,
    responseId: `resp_${id}`,
  }),
  error: ({ status, type, code, message }) => ({
    error: {
      code: status,
      message,
      status: type,
      ...(code !== null && {
        details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: code }],
      }),
    },
  }),
};

const FINISH: Record<SimulatedAnswer['finish'], string> = {
  stop: 'STOP',
  length: 'MAX_TOKENS',
  refusal: 'SAFETY',
  filter: 'RECITATION',
  context: 'MAX_TOKENS',
  other: 'MALFORMED_FUNCTION_CALL',
};

function contentOf({ mode }: SimulatedRequest, { text, finish }: SimulatedAnswer) {
  if (finish === 'refusal' || finish === 'filter') return {};
  const part = mode === 'tool' ? { functionCall: { name: 'verdict', args: argsOf(text) } } : { text };
  return {
    content: {
      role: 'model',
      parts: [{ text: 'A summary of what was thought. VERDICT: no', thought: true }, part],
    },
  };
}

/** A call that was cut off has lost its arguments. */
function argsOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
