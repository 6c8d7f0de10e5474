/** What a model is asked, read from any provider's wire format. */
export interface SimulatedRequest {
  model: string;
  system: string;
  messages: readonly { role: 'user' | 'assistant'; text: string }[];
  mode: 'structured' | 'tool' | 'text';
  /** The reply's JSON Schema; null in text mode. */
  schema: unknown;
  maxTokens: number;
}

/** What the model says, before it is put into a wire format. */
export interface SimulatedAnswer {
  text: string;
  finish: 'stop' | 'length' | 'refusal' | 'filter' | 'context' | 'other';
  usage: { input: number; cached: number; output: number; reasoning: number };
}

/** An error reply in the provider's own words. */
export interface SimulatedError {
  status: number;
  type: string;
  code: string | null;
  param: string | null;
  message: string;
}

/** One provider's wire format. */
export interface Dialect {
  name: 'openai' | 'openai-responses' | 'anthropic' | 'google';
  path: RegExp;
  /** Where a reply says what was used. */
  usageField: 'usage' | 'usageMetadata';
  /** Reads a request as strictly as the provider does. */
  read(body: unknown, path: string): { request: SimulatedRequest } | { error: SimulatedError };
  /** The body of a reply. @param served the model that claims to have answered. */
  reply(request: SimulatedRequest, answer: SimulatedAnswer, served: string, id: string): unknown;
  error(error: SimulatedError): unknown;
}

export function badRequest(message: string, more: Partial<SimulatedError> = {}): { error: SimulatedError } {
  return {
    error: { status: 400, type: 'invalid_request_error', code: null, param: null, message, ...more },
  };
}
