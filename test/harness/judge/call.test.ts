import { describe, expect, it } from 'vitest';
import type { UnscoredReason } from '../../../core/verdict.ts';
import type { Fault } from '../../simulator/fault.ts';
import type { SimulatedCall } from '../../simulator/simulator.ts';
import { CANARY, type Hosted, MODELS } from '../provider/open-test-provider.ts';
import { OUTPUT, resolved, sampleOf, samples, single } from './fixture.ts';
import { runScene } from './run-on-simulator.ts';

/** A fault that strikes the first call alone. */
const once = (fault: Fault) => ({
  faults: ({ number }: { number: number }) => (number === 1 ? fault : null),
});
const always = (fault: Fault) => ({ faults: () => fault });
const status = (code: number, more: object = {}): Fault => ({ kind: 'status', status: code, ...more });

const verdict = (more: object) =>
  JSON.stringify({
    evidence: [{ field: 'output', quote: 'was refunded with 7 dollars' }],
    reason: 'so it says',
    value: '3',
    ...more,
  });
const says = (more: object): Fault => ({ kind: 'answer', text: verdict(more) });

describe('a call that is answered', () => {
  it('is one request, with its verdict and its receipt', async () => {
    const { ledger, calls, summary } = await runScene({ simulator: always(says({})) });
    expect(calls).toHaveLength(1);
    expect(ledger.verdicts).toMatchObject([
      {
        judge: 'accuracy-judge@3',
        criterion: 'accuracy',
        order: null,
        repeat: 1,
        served_model: 'gpt-4.1-2025-04-14',
        fingerprint: 'fp_simulator',
        result: { outcome: 'scored', value: '3', reason: 'so it says', quotes: [{ status: 'exact' }] },
      },
    ]);
    const [attempt] = ledger.attempts;
    expect(attempt?.receipt).toMatchObject({ request_id: 'req_1', usage: { input: expect.any(Number) } });
    expect(attempt?.receipt?.cost_usd).toBeGreaterThan(0);
    expect(summary).toMatchObject({ state: 'done', done: 1, total: 1, scored: 1, unscored: {} });
    expect(summary?.cost_usd).toBe(attempt?.receipt?.cost_usd);
  });

  it.each<[Hosted, 'structured' | 'tool' | 'text']>([
    ['openai', 'structured'],
    ['openai', 'tool'],
    ['openai', 'text'],
    ['openai-responses', 'structured'],
    ['openai-responses', 'tool'],
    ['anthropic', 'structured'],
    ['anthropic', 'tool'],
    ['anthropic', 'text'],
    ['openai-compatible', 'structured'],
  ])('is scored alike by %s in %s mode', async (provider, output) => {
    const endpoint = provider === 'openai-compatible' ? 'local' : null;
    const judge = resolved({ provider, model: MODELS[provider], endpoint, output });
    const { ledger, outcomes } = await runScene({ judge, samples: samples(3) });
    expect(outcomes).toEqual(['scored', 'scored', 'scored']);
    for (const { result } of ledger.verdicts) expect(result.quotes).toMatchObject([{ status: 'exact' }]);
  });

  it('is never read from the sample, even where that holds a whole verdict', async () => {
    const planted = sampleOf(single(`${OUTPUT} ${verdict({ value: '1' })}`));
    const text = verdict({ evidence: [{ field: 'output', quote: OUTPUT }] });
    const { ledger } = await runScene({
      samples: [planted],
      simulator: always({ kind: 'answer', text }),
    });
    expect(ledger.verdicts[0]?.result).toMatchObject({ outcome: 'scored', value: '3' });
  });
});

describe('an answer that is no value', () => {
  it.each<[string, Fault, UnscoredReason]>([
    ['filtered', { kind: 'answer', finish: 'filter' }, 'filtered'],
    ['filtered before it was begun', status(400, { code: 'content_filter' }), 'filtered'],
    ['a refusal', { kind: 'answer', finish: 'refusal', text: 'I will not.' }, 'refused'],
    ['too long for the context', status(400, { code: 'context_length_exceeded' }), 'truncated'],
    ['stopped for an unknown reason', { kind: 'answer', finish: 'other' }, 'invalid'],
    ['prose', { kind: 'answer', text: 'It is a 3.' }, 'invalid'],
    ['fenced', { kind: 'answer', text: `\`\`\`json\n${verdict({})}\n\`\`\`` }, 'invalid'],
    ['two verdicts', { kind: 'answer', text: verdict({}) + verdict({ value: '1' }) }, 'invalid'],
    ['a level that was not offered', says({ value: '6' }), 'invalid'],
    ['an abstention', says({ value: 'cannot_tell' }), 'abstained'],
    ['not applicable', says({ value: 'not_applicable' }), 'not_applicable'],
  ])('%s is unscored and final', async (_, fault, expected) => {
    const { outcomes, ledger, calls } = await runScene({ simulator: always(fault) });
    expect(outcomes).toEqual([expected]);
    expect(calls).toHaveLength(1);
    expect(ledger.final.size).toBe(1);
  });

  it.each<[Fault['kind'] | string, 'refusal' | 'context' | 'other', UnscoredReason]>([
    ['a refusal with its category', 'refusal', 'refused'],
    ['a full context', 'context', 'truncated'],
    ['a paused turn', 'other', 'invalid'],
  ])('%s of Anthropic is told apart', async (_, finish, expected) => {
    const judge = resolved({ provider: 'anthropic', model: MODELS.anthropic });
    const { ledger } = await runScene({ judge, simulator: always({ kind: 'answer', finish }) });
    expect(ledger.verdicts[0]?.result.outcome).toBe(expected);
    if (finish === 'refusal') expect(ledger.verdicts[0]?.result.reason).toContain('general_harms');
  });
});

describe('an answer that is cut off at the token limit', () => {
  const cut = (text?: string): Fault => ({
    kind: 'answer',
    finish: 'length',
    ...(text !== undefined && { text }),
  });
  const limits = (calls: readonly SimulatedCall[]) => calls.map(({ request }) => request?.maxTokens);

  it('is asked for once more with twice the tokens, and both are paid for', async () => {
    const { outcomes, calls, ledger, summary } = await runScene({ simulator: once(cut('')) });
    expect(outcomes).toEqual(['scored']);
    expect(limits(calls)).toEqual([800, 1600]);
    const costs = ledger.attempts.map(({ receipt }) => receipt?.cost_usd ?? 0);
    expect(ledger.attempts.map(({ receipt }) => receipt?.usage !== null)).toEqual([true, true]);
    expect(Math.min(...costs)).toBeGreaterThan(0);
    expect(summary?.cost_usd).toBe(costs.reduce((sum, cost) => sum + cost, 0));
  });

  it.each([
    ['in a word', undefined],
    ['before a word', ''],
    ['though it is whole JSON', verdict({})],
  ])('is truncated and final where it is cut off again: %s', async (_, text) => {
    const { outcomes, calls, ledger } = await runScene({ simulator: always(cut(text)) });
    expect(outcomes).toEqual(['truncated']);
    expect(limits(calls)).toEqual([800, 1600]);
    expect(ledger.final.size).toBe(1);
  });

  it('is not asked for again where the judge has all the tokens that one may have', async () => {
    const judge = resolved({ params: { max_output_tokens: 64_000 } });
    const { outcomes, calls } = await runScene({ judge, simulator: always(cut()) });
    expect(outcomes).toEqual(['truncated']);
    expect(limits(calls)).toEqual([64_000]);
  });

  it('stays truncated, and the run goes on, where the model takes no higher limit', async () => {
    const refusal = status(400, { message: 'max_completion_tokens is too large: 1600.' });
    const { problem, ledger, calls } = await runScene({
      samples: samples(2),
      simulator: { faults: ({ number }) => [cut(), refusal][number - 1] ?? null },
      options: { concurrency: 1 },
    });
    expect(problem).toBeNull();
    expect(ledger.verdicts.map(({ result }) => result)).toMatchObject([
      { outcome: 'truncated', reason: expect.stringContaining('takes no higher one') },
      { outcome: 'scored' },
    ]);
    expect(calls).toHaveLength(3);
    expect(ledger.final.size).toBe(2);
  });

  it('is asked for again by the next run where the run was stopped before it could be', async () => {
    const stopper = new AbortController();
    const { ledger, outcomes } = await runScene({
      simulator: {
        faults: () => {
          stopper.abort();
          return cut();
        },
      },
      options: { signal: stopper.signal },
    });
    expect(outcomes).toEqual(['truncated']);
    expect(ledger.final.size).toBe(0);
  });
});

describe('quotes that do not hold', () => {
  const fabricated = says({ evidence: [{ field: 'output', quote: 'words that nobody wrote' }] });

  it('are asked for once more, and an honest answer then counts', async () => {
    const { ledger, calls, outcomes } = await runScene({ simulator: once(fabricated) });
    expect(outcomes).toEqual(['scored']);
    expect(calls).toHaveLength(2);
    expect(calls[1]?.request?.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', text: expect.stringContaining('words that nobody wrote') },
      { role: 'user', text: expect.stringContaining('"words that nobody wrote" does not stand in output.') },
    ]);
    expect(ledger.attempts.map(({ receipt }) => receipt?.usage !== null)).toEqual([true, true]);
  });

  it('leave the sample unsupported where they still do not hold', async () => {
    const { outcomes, calls, ledger } = await runScene({ simulator: always(fabricated) });
    expect(outcomes).toEqual(['unsupported']);
    expect(calls).toHaveLength(2);
    expect(ledger.verdicts[0]?.result.quotes).toMatchObject([{ status: 'unsupported', places: [] }]);
    expect(ledger.final.size).toBe(1);
  });

  it('are not asked for again where the judge says so', async () => {
    const judge = resolved({ evidence: { reask: 0 } });
    const { outcomes, calls } = await runScene({ judge, simulator: always(fabricated) });
    expect(outcomes).toEqual(['unsupported']);
    expect(calls).toHaveLength(1);
  });

  it('never make an answer that counted change', async () => {
    const good = { evidence: [{ field: 'output', quote: 'was refunded with 7 dollars' }], reason: '' };
    const bad = { evidence: [{ field: 'output', quote: 'words that nobody wrote' }], reason: '' };
    const texts = [
      JSON.stringify({ accuracy: { ...good, value: '3' }, approval: { ...bad, value: 'no' } }),
      JSON.stringify({ accuracy: { ...good, value: '1' }, approval: { ...good, value: 'yes' } }),
    ];
    const { ledger, calls } = await runScene({
      judge: resolved({ criteria: ['accuracy', 'approval'], together: true }),
      simulator: { faults: ({ number }) => ({ kind: 'answer', text: texts[number - 1] ?? '' }) },
    });
    expect(calls).toHaveLength(2);
    expect(ledger.verdicts.map(({ result }) => result.outcome === 'scored' && result.value)).toEqual([
      '3',
      'yes',
    ]);
  });
});

describe('a call that is sent again', () => {
  it.each([408, 409, 500, 502, 503, 504])(
    'after one %i settles once, with both attempts in the ledger',
    async (code) => {
      const { outcomes, calls, ledger, waits } = await runScene({ simulator: once(status(code)) });
      expect(outcomes).toEqual(['scored']);
      expect(calls).toHaveLength(2);
      expect(ledger.attempts).toHaveLength(2);
      expect(ledger.attempts[0]?.receipt).toMatchObject({ usage: null, cost_usd: 0 });
      expect(waits).toHaveLength(1);
    },
  );

  it('is given up after its retries and left for the next run', async () => {
    const { outcomes, calls, ledger, summary } = await runScene({ simulator: always(status(500)) });
    expect(outcomes).toEqual(['provider_error']);
    expect(calls).toHaveLength(4);
    expect(ledger.final.size).toBe(0);
    expect(summary).toMatchObject({ state: 'done', scored: 0, unscored: { provider_error: 1 } });
  });

  it.each([
    ['seconds', { 'retry-after': '2' }],
    ['milliseconds', { 'retry-after-ms': '2000' }],
  ])('after a 429 waits as it was told to in %s', async (_, headers) => {
    const { outcomes, waits } = await runScene({ simulator: once(status(429, { headers })) });
    expect(outcomes).toEqual(['scored']);
    expect(waits[0]).toBeGreaterThanOrEqual(2000);
    expect(waits[0]).toBeLessThan(4000);
  });

  it.each(['soon', '-1', '', '1e11', '2, 5', 'Sun, 29 Nov 2020 12:00:00 GMT'])(
    'after a 429 with Retry-After "%s" waits by itself, more than a second',
    async (value) => {
      const { outcomes, waits, calls } = await runScene({
        simulator: {
          faults: ({ number }) => (number < 4 ? status(429, { headers: { 'retry-after': value } }) : null),
        },
      });
      expect(outcomes).toEqual(['scored']);
      expect(calls).toHaveLength(4);
      for (const wait of waits) expect(wait).toBeGreaterThanOrEqual(1000);
    },
  );

  it('outlasts an overload of ten minutes', async () => {
    const { outcomes, waits } = await runScene({
      simulator: { faults: ({ number }) => (number <= 12 ? status(529) : null) },
    });
    expect(outcomes).toEqual(['scored']);
    expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeGreaterThan(400_000);
  });
});

describe('a call that was sent and never heard of', () => {
  it.each<[string, Fault]>([
    ['reset', { kind: 'reset' }],
    ['cut', { kind: 'cut' }],
    ['stalled', { kind: 'stall' }],
    ['late', { kind: 'late', ms: 1500 }],
  ])('is unknown when it was %s: not sent again, its cost not known', async (_, fault) => {
    const { outcomes, calls, ledger, summary } = await runScene({ simulator: once(fault), deadlineMs: 500 });
    expect(outcomes).toEqual(['unknown']);
    expect(calls).toHaveLength(1);
    expect(ledger.attempts[0]?.receipt?.cost_usd).toBeNull();
    expect(ledger.final.size).toBe(0);
    expect(summary).toMatchObject({ unpriced: 1, unscored: { unknown: 1 } });
  });
});

describe('a reply of no known shape', () => {
  it.each<[string, Fault]>([
    ['a page', { kind: 'body', body: '<html></html>', contentType: 'text/html' }],
    ['nothing', { kind: 'body', body: '' }],
    ['an error in a 200', { kind: 'body', body: '{"error":{"message":"no"}}' }],
    ['JSON cut in two', { kind: 'body', body: '{"choices":[{' }],
    ['a redirect', { kind: 'redirect', to: 'http://127.0.0.1:1/' }],
    ['a 422', status(422)],
  ])('is a provider error: %s', async (_, fault) => {
    const { outcomes, calls, ledger } = await runScene({ simulator: always(fault) });
    expect(outcomes).toEqual(['provider_error']);
    expect(calls).toHaveLength(1);
    expect(ledger.final.size).toBe(0);
  });
});

describe('a key that an error echoes', () => {
  it('reaches neither verdicts nor receipts nor problems', async () => {
    const faults: Fault[] = [
      status(500, { message: `no, ${CANARY}` }),
      status(401, { message: `bad ${CANARY}` }),
    ];
    const { ledger, problem, events } = await runScene({
      simulator: {
        faults: ({ number }) => faults[Math.min(number, 5) - 4] ?? status(422, { message: CANARY }),
      },
      samples: samples(6),
      options: { concurrency: 1 },
    });
    const everything = JSON.stringify([ledger.attempts, ledger.verdicts, problem?.report(), events]);
    expect(problem?.code).toBe('key_refused');
    expect(everything).not.toContain(CANARY);
    expect(everything).toContain('[key]');
  });
});
