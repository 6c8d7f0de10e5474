import type { JsonObject } from '../../core/json.ts';
import type { Criterion } from '../../core/rubric.ts';
import { type Ask, offeredValues } from './ask.ts';

/**
 * The JSON Schema of a reply, in the subset that every provider's strict mode takes: quotes first, then the reason,
 * then the value. Criteria that share a call stand side by side, each under its id.
 */
export function replySchema(ask: Ask): JsonObject {
  const [only] = ask.criteria;
  if (only !== undefined && ask.criteria.length === 1) return verdictSchema(ask, only);
  return object(Object.fromEntries(ask.criteria.map((one) => [one.id, verdictSchema(ask, one)])));
}

function verdictSchema(ask: Ask, criterion: Criterion): JsonObject {
  return object({
    evidence: { type: 'array', items: quoteSchema(ask) },
    reason: { type: 'string' },
    value: { type: 'string', enum: [...offeredValues(ask, criterion).keys()] },
  });
}

function quoteSchema(ask: Ask): JsonObject {
  return object({
    field: { type: 'string', enum: [...ask.fields.keys()] },
    ...(ask.fields.has('trace') && { step: { anyOf: [{ type: 'integer' }, { type: 'null' }] } }),
    quote: { type: 'string' },
  });
}

function object(properties: JsonObject): JsonObject {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}
