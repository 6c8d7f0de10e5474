import { z } from 'zod';
import { badRequest, type Dialect, type SimulatedAnswer, type SimulatedRequest } from './call.ts';
import { strictFault } from './strict-schema.ts';

const Request = z.strictObject({
  model: z.string(),
  max_tokens: z.number().int().positive(),
  messages: z
    .array(z.strictObject({ role: z.enum(['user', 'assistant']), content: z.string().min(1) }))
    .min(1),
  system: z
    .array(
      z.strictObject({
        type: z.literal('text'),
        text: z.string().min(1),
        cache_control: z.strictObject({ type: z.literal('ephemeral') }).optional(),
      }),
    )
    .optional(),
  temperature: z.number().min(0).max(1).optional(),
  output_config: z
    .strictObject({
      effort: z.enum(['low', 'medium', 'high', 'xhigh', 'max']).optional(),
      format: z.strictObject({ type: z.literal('json_schema'), schema: z.unknown() }).optional(),
    })
    .optional(),
  tools: z.array(z.strictObject({ name: z.string(), input_schema: z.unknown() })).optional(),
  tool_choice: z
    .strictObject({
      type: z.literal('tool'),
      name: z.string(),
      disable_parallel_tool_use: z.boolean().optional(),
    })
    .optional(),
});

/** Models that dropped `temperature`. */
const NO_TEMPERATURE = /^claude-(opus-4-[7-9]|[a-z]+-[5-9])/;

/** Anthropic's messages. */
export const anthropic: Dialect = {
  name: 'anthropic',
  path: /^\/v1\/messages$/,
  usageField: 'usage',
  read: (body) => {
    const parsed = Request.safeParse(body);
    if (!parsed.success) return badRequest(z.prettifyError(parsed.error));
    const { model, system, messages, max_tokens, temperature, output_config, tools } = parsed.data;
    if (NO_TEMPERATURE.test(model) && temperature !== undefined)
      return badRequest('`temperature` is deprecated for this model.');
    const schema = output_config?.format?.schema ?? tools?.[0]?.input_schema ?? null;
    const fault = output_config?.format === undefined ? null : strictFault(schema);
    if (fault !== null) return badRequest(`output_config.format.schema: ${fault}`);
    return {
      request: {
        model,
        system: (system ?? []).map(({ text }) => text).join(''),
        messages: messages.map(({ role, content }) => ({ role, text: content })),
        mode: output_config?.format !== undefined ? 'structured' : tools !== undefined ? 'tool' : 'text',
        schema,
        maxTokens: max_tokens,
      },
    };
  },
  reply: (request, answer, served, id) => ({
    id: `msg_${id}`,
    type: 'message',
    role: 'assistant',
    model: served,
    content: contentOf(request, answer),
    stop_reason: stopReason(request, answer),
    stop_sequence: null,
    stop_details:
      answer.finish === 'refusal'
        ? { type: 'refusal', category: 'general_harms', explanation: answer.text }
        : null,
    usage: {
      input_tokens: answer.usage.input - answer.usage.cached,
      cache_read_input_tokens: answer.usage.cached,
      cache_creation_input_tokens: 0,
      output_tokens: answer.usage.output,
      service_tier: 'standard',
    },
  }),
  error: ({ type, message }) => ({
    type: 'error',
    error: { type, message },
    request_id: 'req_simulated',
  }),
};

function contentOf({ mode }: SimulatedRequest, { text, finish }: SimulatedAnswer) {
  if (finish === 'refusal') return [];
  if (mode !== 'tool') return text === '' ? [] : [{ type: 'text', text, citations: null }];
  return [{ type: 'tool_use', id: 'toolu_1', name: 'verdict', input: parsed(text) }];
}

/** A tool call that was cut off has lost its input. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

function stopReason({ mode }: SimulatedRequest, { finish }: SimulatedAnswer): string {
  const reasons: Record<SimulatedAnswer['finish'], string> = {
    stop: mode === 'tool' ? 'tool_use' : 'end_turn',
    length: 'max_tokens',
    refusal: 'refusal',
    filter: 'refusal',
    context: 'model_context_window_exceeded',
    other: 'pause_turn',
  };
  return reasons[finish];
}
