import { z } from 'zod';
import { badRequest, type Dialect, type SimulatedAnswer, type SimulatedRequest } from './call.ts';
import { strictFault } from './strict-schema.ts';

const Name = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);

const Request = z.strictObject({
  model: z.string(),
  messages: z
    .array(z.strictObject({ role: z.enum(['system', 'user', 'assistant']), content: z.string() }))
    .min(1),
  max_tokens: z.number().int().positive().optional(),
  max_completion_tokens: z.number().int().positive().optional(),
  temperature: z.number().min(0).max(2).optional(),
  seed: z.number().int().optional(),
  reasoning_effort: z.enum(['minimal', 'low', 'medium', 'high']).optional(),
  response_format: z
    .strictObject({
      type: z.literal('json_schema'),
      json_schema: z.strictObject({ name: Name, schema: z.unknown(), strict: z.literal(true) }),
    })
    .optional(),
  tools: z
    .array(
      z.strictObject({
        type: z.literal('function'),
        function: z.strictObject({ name: Name, parameters: z.unknown(), strict: z.literal(true) }),
      }),
    )
    .optional(),
  tool_choice: z
    .strictObject({ type: z.literal('function'), function: z.strictObject({ name: Name }) })
    .optional(),
  parallel_tool_calls: z.boolean().optional(),
});

/** Models that think: they take no temperature and only the newer name of the token limit. */
export const THINKING = /^(o\d|gpt-5)/;

/** OpenAI's chat completions. */
export const openAiChat: Dialect = {
  name: 'openai',
  path: /^\/v1\/chat\/completions$/,
  usageField: 'usage',
  read: (body) => {
    const parsed = Request.safeParse(body);
    if (!parsed.success) return badRequest(z.prettifyError(parsed.error));
    const { model, messages, temperature, max_tokens, max_completion_tokens, response_format, tools } =
      parsed.data;
    if (THINKING.test(model) && temperature !== undefined && temperature !== 1)
      return badRequest(
        `Unsupported value: 'temperature' does not support ${temperature} with this model. Only the default (1) value is supported.`,
        { code: 'unsupported_value', param: 'temperature' },
      );
    if (THINKING.test(model) && max_tokens !== undefined)
      return badRequest("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", {
        code: 'unsupported_parameter',
        param: 'max_tokens',
      });
    const tool = tools?.[0]?.function;
    const schema = response_format?.json_schema.schema ?? tool?.parameters ?? null;
    const fault = schema === null ? null : strictFault(schema);
    if (fault !== null)
      return badRequest(`Invalid schema for response_format: ${fault}`, { param: 'response_format' });
    return {
      request: {
        model,
        system: messages.map(({ role, content }) => (role === 'system' ? content : '')).join(''),
        messages: messages.flatMap(({ role, content }) =>
          role === 'system' ? [] : [{ role, text: content }],
        ),
        mode: response_format !== undefined ? 'structured' : tool !== undefined ? 'tool' : 'text',
        schema,
        maxTokens: max_completion_tokens ?? max_tokens ?? 4096,
      },
    };
  },
  reply: (request, answer, served, id) => ({
    id: `chatcmpl-${id}`,
    object: 'chat.completion',
    created: 1_764_000_000,
    model: served,
    system_fingerprint: 'fp_simulator',
    choices: [
      {
        index: 0,
        message: messageOf(request, answer),
        logprobs: null,
        finish_reason: FINISH[answer.finish],
      },
    ],
    usage: {
      prompt_tokens: answer.usage.input,
      completion_tokens: answer.usage.output,
      total_tokens: answer.usage.input + answer.usage.output,
      prompt_tokens_details: { cached_tokens: answer.usage.cached, audio_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: answer.usage.reasoning, audio_tokens: 0 },
    },
  }),
  error: ({ message, type, code, param }) => ({ error: { message, type, param, code } }),
};

const FINISH: Record<SimulatedAnswer['finish'], string> = {
  stop: 'stop',
  length: 'length',
  refusal: 'stop',
  filter: 'content_filter',
  context: 'length',
  other: 'function_call',
};

function messageOf({ mode }: SimulatedRequest, { text, finish }: SimulatedAnswer) {
  if (finish === 'refusal') return { role: 'assistant', content: null, refusal: text };
  if (mode !== 'tool') return { role: 'assistant', content: text, refusal: null };
  return {
    role: 'assistant',
    content: null,
    refusal: null,
    tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'verdict', arguments: text } }],
  };
}
