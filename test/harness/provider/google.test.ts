import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CompletionRequest, Provider } from '../../../harness/provider/provider.ts';
import type { Fault } from '../../simulator/fault.ts';
import { createSimulator, type Simulator } from '../../simulator/simulator.ts';
import { openOn, requestOf } from './open-test-provider.ts';

describe("Google's own ways", () => {
  let simulator: Simulator;
  let provider: Provider;
  let fault: Fault | null = null;

  beforeAll(async () => {
    simulator = await createSimulator({ faults: () => fault });
    provider = await openOn(simulator, 'google');
  });

  afterAll(async () => {
    await provider.close();
    await simulator.close();
  });

  async function complete(with_: Fault | null, more: Partial<CompletionRequest> = {}) {
    fault = with_;
    const before = simulator.calls.length;
    const request = requestOf('google', 'structured', more);
    const completion = await provider.complete(request, new AbortController().signal);
    return { completion, sent: simulator.calls.length - before };
  }

  const reply = (body: object): Fault => ({ kind: 'body', body: JSON.stringify(body) });
  const error = (status: number, body: object): Fault => ({
    kind: 'body',
    status,
    body: JSON.stringify({ error: body }),
  });

  it.each([
    ['STOP', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['SAFETY', 'filter'],
    ['RECITATION', 'filter'],
    ['LANGUAGE', 'filter'],
    ['BLOCKLIST', 'filter'],
    ['PROHIBITED_CONTENT', 'filter'],
    ['SPII', 'filter'],
    ['MALFORMED_FUNCTION_CALL', 'other'],
    ['UNEXPECTED_TOOL_CALL', 'other'],
    ['CONTINUATION', 'other'],
    ['a reason of next year', 'other'],
    [undefined, 'other'],
  ])('reads the finish reason %s as %s, and sends once', async (finishReason, finish) => {
    const candidate = { content: { parts: [{ text: '{}' }], role: 'model' }, finishReason };
    const { completion, sent } = await complete(reply({ candidates: [candidate], continuationToken: 'x' }));
    expect(completion).toMatchObject({ status: 'answered', finish, usage: null });
    expect(sent).toBe(1);
  });

  it('takes a blocked prompt for a filtered one, with the reason', async () => {
    const { completion } = await complete(
      reply({ promptFeedback: { blockReason: 'JAILBREAK' }, usageMetadata: { promptTokenCount: 12 } }),
    );
    expect(completion).toMatchObject({
      status: 'answered',
      text: '',
      finish: 'filter',
      detail: 'the prompt was blocked: JAILBREAK',
      usage: { input: 12, output: 0 },
    });
  });

  it('leaves out of the answer what the model thought, and counts it as output', async () => {
    const parts = [{ text: 'VERDICT: no', thought: true }, { text: '{"value":' }, { text: '"yes"}' }];
    const { completion } = await complete(
      reply({
        candidates: [{ content: { parts }, finishReason: 'STOP' }],
        usageMetadata: {
          promptTokenCount: 900,
          cachedContentTokenCount: 600,
          candidatesTokenCount: 20,
          thoughtsTokenCount: 300,
          futureTokenCount: 5,
        },
        modelVersion: 'gemini-2.5-flash-preview-09-2025',
        responseId: 'abc',
      }),
    );
    expect(completion).toMatchObject({
      text: '{"value":"yes"}',
      usage: { input: 900, output: 320, cacheRead: 600, cacheWrite: 0, reasoning: 300 },
      servedModel: 'gemini-2.5-flash-preview-09-2025',
      raw: expect.stringContaining('"futureTokenCount":5'),
    });
  });

  it.each([
    ['gemini-2.5-flash-preview-09-2025', { thinkingBudget: 8192 }],
    ['gemini-3-flash-preview', { thinkingLevel: 'MEDIUM' }],
  ])('asks %s to think in its own terms', async (model, thinkingConfig) => {
    const params = { temperature: 0, max_output_tokens: 800, reasoning_effort: 'medium', seed: 7 } as const;
    const { completion } = await complete(null, { model, params });
    expect(completion.status).toBe('answered');
    expect(simulator.calls.at(-1)?.body).toMatchObject({
      generationConfig: { thinkingConfig, temperature: 0, seed: 7, maxOutputTokens: 800 },
    });
  });

  it.each([
    [400, { status: 'INVALID_ARGUMENT', details: [{ reason: 'API_KEY_INVALID' }] }, 'auth'],
    [403, { status: 'PERMISSION_DENIED' }, 'auth'],
    [404, { status: 'NOT_FOUND', message: 'models/gemini-1.0-pro is not found' }, 'not_found'],
    [400, { status: 'INVALID_ARGUMENT', message: 'The input token count (2000000) exceeds' }, 'too_long'],
    [400, { status: 'INVALID_ARGUMENT', message: 'Thinking level is not supported' }, 'unsupported'],
    [400, { status: 'FAILED_PRECONDITION', message: 'User location is not supported' }, 'bad_request'],
    [429, { status: 'RESOURCE_EXHAUSTED' }, 'rate_limited'],
    [429, { details: [{ violations: [{ quotaId: 'GenerateRequestsPerDayPerProject' }] }] }, 'quota'],
    [503, { status: 'UNAVAILABLE', message: 'The model is overloaded.' }, 'overloaded'],
    [500, { status: 'INTERNAL' }, 'server'],
    [504, { status: 'DEADLINE_EXCEEDED' }, 'server'],
  ])('sends once on %i %j and calls it %s', async (status, body, failure) => {
    const { completion, sent } = await complete(error(status, { code: status, ...body }));
    expect(completion).toMatchObject({ status: 'failed', failure, httpStatus: status });
    expect(sent).toBe(1);
  });

  it('reads from the body how long a 429 asks to wait', async () => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.5s' }];
    const { completion } = await complete(error(429, { status: 'RESOURCE_EXHAUSTED', details }));
    expect(completion).toMatchObject({ failure: 'rate_limited', retryAfterMs: 34_500 });
  });
});
