import { z } from 'zod';
import { badRequest, type Dialect, type SimulatedAnswer, type SimulatedRequest } from './call.ts';
import { THINKING } from './openai-chat.ts';
import { strictFault } from './strict-schema.ts';

const Name = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);

const Request = z.strictObject({
  model: z.string(),
  instructions: z.string().optional(),
  input: z.array(z.strictObject({ role: z.enum(['user', 'assistant']), content: z.string() })).min(1),
  max_output_tokens: z.number().int().min(16).optional(),
  store: z.boolean().optional(),
  temperature: z.number().min(0).max(2).optional(),
  reasoning: z.strictObject({ effort: z.enum(['minimal', 'low', 'medium', 'high']) }).optional(),
  text: z
    .strictObject({
      format: z.strictObject({
        type: z.literal('json_schema'),
        name: Name,
        schema: z.unknown(),
        strict: z.literal(true),
      }),
    })
    .optional(),
  tools: z
    .array(
      z.strictObject({
        type: z.literal('function'),
        name: Name,
        parameters: z.unknown(),
        strict: z.literal(true),
      }),
    )
    .optional(),
  tool_choice: z.strictObject({ type: z.literal('function'), name: Name }).optional(),
  parallel_tool_calls: z.boolean().optional(),
});

/** OpenAI's responses. */
export const openAiResponses: Dialect = {
  name: 'openai-responses',
  path: /^\/v1\/responses$/,
  usageField: 'usage',
  read: (body) => {
    const parsed = Request.safeParse(body);
    if (!parsed.success) return badRequest(z.prettifyError(parsed.error));
    const { model, instructions, input, temperature, max_output_tokens, text, tools } = parsed.data;
    if (THINKING.test(model) && temperature !== undefined)
      return badRequest("Unsupported parameter: 'temperature' is not supported with this model.", {
        code: 'unsupported_parameter',
        param: 'temperature',
      });
    const schema = text?.format.schema ?? tools?.[0]?.parameters ?? null;
    const fault = schema === null ? null : strictFault(schema);
    if (fault !== null) return badRequest(`Invalid schema: ${fault}`, { param: 'text.format.schema' });
    return {
      request: {
        model,
        system: instructions ?? '',
        messages: input.map(({ role, content }) => ({ role, text: content })),
        mode: text !== undefined ? 'structured' : tools !== undefined ? 'tool' : 'text',
        schema,
        maxTokens: max_output_tokens ?? 4096,
      },
    };
  },
  reply: (request, answer, served, id) => ({
    id: `resp_${id}`,
    object: 'response',
    created_at: 1_764_000_000,
    model: served,
    error: null,
    ...statusOf(answer),
    output: [{ type: 'reasoning', id: 'rs_1', summary: [] }, itemOf(request, answer)],
    usage: {
      input_tokens: answer.usage.input,
      input_tokens_details: { cached_tokens: answer.usage.cached },
      output_tokens: answer.usage.output,
      output_tokens_details: { reasoning_tokens: answer.usage.reasoning },
      total_tokens: answer.usage.input + answer.usage.output,
    },
  }),
  error: ({ message, type, code, param }) => ({ error: { message, type, param, code } }),
};

function statusOf({ finish }: SimulatedAnswer) {
  if (finish === 'stop' || finish === 'refusal') return { status: 'completed', incomplete_details: null };
  if (finish === 'other') return { status: 'cancelled', incomplete_details: null };
  const reason = finish === 'filter' ? 'content_filter' : 'max_output_tokens';
  return { status: 'incomplete', incomplete_details: { reason } };
}

function itemOf({ mode }: SimulatedRequest, { text, finish }: SimulatedAnswer) {
  if (mode === 'tool' && finish !== 'refusal')
    return { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'verdict', arguments: text };
  const part = finish === 'refusal' ? { type: 'refusal', refusal: text } : { type: 'output_text', text };
  return { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [part] };
}
