import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Completion, Provider } from '../../../harness/provider/provider.ts';
import type { Fault } from '../../simulator/fault.ts';
import { createSimulator, type Simulator } from '../../simulator/simulator.ts';
import { CANARY, type Hosted, MODELS, openOn, requestOf } from './open-test-provider.ts';

const PROVIDERS: Hosted[] = ['openai', 'openai-responses', 'anthropic', 'google', 'openai-compatible'];
const NEVER = new AbortController().signal;

describe.each(PROVIDERS)('%s', (name) => {
  let simulator: Simulator;
  let provider: Provider;
  let hasty: Provider;
  let fault: Fault | null = null;

  beforeAll(async () => {
    simulator = await createSimulator({ key: CANARY, faults: () => fault });
    provider = await openOn(simulator, name, { deadlineMs: 60_000 });
    hasty = await openOn(simulator, name, { deadlineMs: 300 });
  });

  afterAll(async () => {
    await provider.close();
    await hasty.close();
    await simulator.close();
  });

  async function complete(with_: Fault | null = null, mode: 'structured' | 'tool' | 'text' = 'structured') {
    fault = with_;
    const before = simulator.calls.length;
    const completion = await provider.complete(requestOf(name, mode), NEVER);
    return { completion, sent: simulator.calls.length - before };
  }

  async function failure(with_: Fault) {
    const { completion, sent } = await complete(with_);
    expect(sent).toBe(1);
    expect(completion.status).toBe('failed');
    if (completion.status !== 'failed') throw new Error('unreachable');
    return completion;
  }

  it.each(['structured', 'tool', 'text'] as const)('answers in %s mode', async (mode) => {
    const { completion, sent } = await complete(null, mode);
    expect(sent).toBe(1);
    expect(completion).toMatchObject({
      status: 'answered',
      finish: 'stop',
      servedModel: MODELS[name],
      simulator: true,
      requestId: expect.stringMatching(/^req_/),
    });
    if (completion.status !== 'answered') return;
    expect(completion.usage?.output).toBeGreaterThan(0);
    if (mode === 'text') expect(completion.text).toMatch(/^VERDICT: (yes|no)$/m);
    else expect(JSON.parse(completion.text)).toMatchObject({ value: expect.stringMatching(/^(yes|no)$/) });
  });

  it('sends the shared part apart from the sample, and reads the cached tokens', async () => {
    await complete();
    const { completion } = await complete();
    expect(simulator.calls.at(-1)?.request).toMatchObject({
      system: 'You grade one piece of work by a rubric.',
      maxTokens: 800,
      mode: 'structured',
    });
    if (completion.status !== 'answered') throw new Error(completion.message);
    const { input = 0, cacheRead = 0 } = completion.usage ?? {};
    expect(cacheRead).toBeGreaterThan(0);
    expect(input).toBeGreaterThan(cacheRead);
  });

  it('keeps the turns of a conversation', async () => {
    fault = null;
    const turns = [
      ...requestOf(name).messages,
      { role: 'assistant' as const, text: 'first answer' },
      { role: 'user' as const, text: 'again, please' },
    ];
    const completion = await provider.complete(requestOf(name, 'structured', { messages: turns }), NEVER);
    expect(completion.status).toBe('answered');
    expect(simulator.calls.at(-1)?.request?.messages).toEqual(turns);
  });

  it.each([
    [401, {}, 'auth'],
    [403, { type: 'permission_error' }, 'auth'],
    [404, { type: 'model_not_found', code: 'model_not_found' }, 'not_found'],
    [400, { type: 'unsupported_value', code: 'unsupported_value' }, 'unsupported'],
    [400, { message: '`temperature` is deprecated for this model.' }, 'unsupported'],
    [400, { type: 'context_length_exceeded', code: 'context_length_exceeded' }, 'too_long'],
    [400, { message: 'prompt is too long: 213002 tokens > 200000 maximum' }, 'too_long'],
    [413, { type: 'request_too_large' }, 'too_long'],
    [400, { type: 'content_filter', code: 'content_filter' }, 'filtered'],
    [400, {}, 'bad_request'],
    [422, {}, 'bad_request'],
    [418, {}, 'bad_request'],
    [429, { type: 'rate_limit_error' }, 'rate_limited'],
    [429, { type: 'insufficient_quota', code: 'insufficient_quota' }, 'quota'],
    [402, { type: 'billing_error' }, 'quota'],
    [429, { type: 'overloaded_error' }, 'overloaded'],
    [529, { type: 'overloaded_error' }, 'overloaded'],
    [408, {}, 'server'],
    [409, {}, 'server'],
    [500, {}, 'server'],
    [503, {}, 'server'],
  ] as const)('sends once on %i %j and calls it %s', async (status, more, expected) => {
    const failed = await failure({ kind: 'status', status, ...more });
    expect(failed).toMatchObject({ failure: expected, httpStatus: status, maybeBilled: false });
  });

  it('reads how long a 429 asks to wait', async () => {
    const failed = await failure({ kind: 'status', status: 429, headers: { 'retry-after': '2' } });
    expect(failed.retryAfterMs).toBe(2000);
  });

  it('takes a 502 page of a gateway for a server error', async () => {
    const page = { kind: 'body', status: 502, body: '<html>Bad gateway</html>', contentType: 'text/html' };
    expect(await failure(page as Fault)).toMatchObject({ failure: 'server', maybeBilled: false });
  });

  it.each(['reset', 'cut'] as const)('owns that a call may be billed after a %s', async (kind) => {
    expect(await failure({ kind })).toMatchObject({ failure: 'network', maybeBilled: true });
  });

  it.each([
    ['headers and then silence', { kind: 'stall' }],
    ['one byte at a time', { kind: 'drip', everyMs: 50 }],
    ['an answer after the deadline', { kind: 'late', ms: 900 }],
  ] as const)('gives up on %s at its deadline and sends once', async (_, with_) => {
    fault = with_;
    const before = simulator.calls.length;
    const completion = await hasty.complete(requestOf(name), NEVER);
    expect(completion).toMatchObject({ status: 'failed', failure: 'timeout', maybeBilled: true });
    expect(simulator.calls.length - before).toBe(1);
  });

  it.each([
    ['an empty body', ''],
    ['a page', '<html><body>Sign in</body></html>'],
    ['an error in a 200', '{"error":{"message":"upstream failed"}}'],
    ['a list', '[]'],
    ['null', 'null'],
    ['no choices', '{"id":"1","choices":[],"content":"x","output":7}'],
    ['JSON cut in the middle', '{"id":"chatcmpl-1","choices":[{"mess'],
  ])('calls %s a reply of bad shape', async (_, body) => {
    const failed = await failure({
      kind: 'body',
      body,
      contentType: body.startsWith('<') ? 'text/html' : 'application/json',
    });
    expect(failed).toMatchObject({ failure: 'bad_shape', httpStatus: 200, maybeBilled: true });
  });

  it('takes a status that does not exist for a reply of bad shape', async () => {
    expect(await failure({ kind: 'body', body: '{}', status: 999 })).toMatchObject({ failure: 'bad_shape' });
  });

  it('does not follow a redirect to another origin', async () => {
    await using elsewhere = await createSimulator();
    const failed = await failure({ kind: 'redirect', to: `${elsewhere.origin}/v1/chat/completions` });
    expect(failed).toMatchObject({ failure: 'redirected', maybeBilled: false });
    expect(elsewhere.calls).toEqual([]);
  });

  it('ends at once when its caller gives up', async () => {
    fault = { kind: 'stall' };
    const caller = new AbortController();
    const pending = provider.complete(requestOf(name), caller.signal);
    const arrived = simulator.calls.length;
    while (simulator.calls.length === arrived) await new Promise((resolve) => setTimeout(resolve, 1));
    caller.abort();
    expect(await pending).toMatchObject({ failure: 'aborted', maybeBilled: true });
  });

  it.each(['length', 'refusal', 'other'] as const)('tells a finish by %s', async (finish) => {
    const { completion } = await complete({ kind: 'answer', finish, text: 'so far' });
    // Google knows no refusals: what its model will not answer is filtered.
    const told = name === 'google' && finish === 'refusal' ? 'filter' : finish;
    expect(completion).toMatchObject({ status: 'answered', finish: told });
  });

  it.each([null, {}, { input_tokens: -5, output_tokens: 1, prompt_tokens: -5, completion_tokens: 1 }])(
    'does not make up a usage out of %j',
    async (usage) => {
      const { completion } = await complete({ kind: 'answer', usage });
      expect(completion).toMatchObject({ status: 'answered', usage: null });
    },
  );

  it('never shows the key, in whatever an error echoes', async () => {
    const echo = `${CANARY} ${Buffer.from(`Bearer ${CANARY}`).toString('base64')} ${CANARY.slice(0, 20)}...`;
    const shown: Completion[] = [
      await failure({ kind: 'status', status: 500, message: echo }),
      await failure({ kind: 'body', body: `<html>${echo}</html>` }),
      (await complete({ kind: 'answer', text: echo })).completion,
    ];
    for (const completion of shown) {
      const text =
        completion.status === 'failed' ? `${completion.message} ${completion.raw}` : completion.raw;
      expect(text).not.toContain('canary');
      expect(text).not.toContain(Buffer.from(CANARY).toString('base64').slice(4, 24));
      expect(text).toContain('[key]');
    }
  });
});

describe('a refused key', () => {
  it.each(PROVIDERS)('is told without the key by %s', async (name) => {
    await using simulator = await createSimulator({ key: 'another' });
    const provider = await openOn(simulator, name);
    const completion = await provider.complete(requestOf(name), NEVER);
    await provider.close();
    expect(completion).toMatchObject({ status: 'failed', failure: 'auth' });
    expect(JSON.stringify(completion)).not.toContain(CANARY);
    expect(simulator.calls).toHaveLength(1);
  });
});

describe('an unreachable host', () => {
  it.each(PROVIDERS)('was sent nothing that could be billed by %s', async (name) => {
    const gone = await createSimulator();
    await gone.close();
    const provider = await openOn(gone, name);
    const completion = await provider.complete(requestOf(name), NEVER);
    await provider.close();
    expect(completion).toMatchObject({ failure: 'network', maybeBilled: false });
    expect(completion).toMatchObject({ message: expect.stringContaining('ECONNREFUSED') });
  });
});
