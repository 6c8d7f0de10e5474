import { describe, expect, it } from 'vitest';
import type { Sample } from '../../../core/sample.ts';
import { createDraw } from '../../simulator/draw.ts';
import type { Fault } from '../../simulator/fault.ts';
import { truthTable } from '../../simulator/truth.ts';
import { pair, resolved, sampleOf, samples, single } from './fixture.ts';
import { MemoryLedger } from './memory-ledger.ts';
import { runScene } from './run-on-simulator.ts';

const status = (code: number, more: object = {}): Fault => ({ kind: 'status', status: code, ...more });

describe('a run', () => {
  it('loses no verdict at concurrency 64 over 1,000 samples, through faults of every kind', async () => {
    const draw = createDraw(5);
    const troubles: Fault[] = [
      status(500),
      status(429, { headers: { 'retry-after': '1' } }),
      status(529),
      status(503),
    ];
    const dataset = samples(1000);
    const { summary, ledger, calls, problem } = await runScene({
      samples: dataset,
      simulator: {
        faults: ({ number }) => (draw(number) < 0.05 ? (troubles[number % troubles.length] ?? null) : null),
      },
      options: { concurrency: 64 },
    });
    expect(problem).toBeNull();
    expect(summary).toMatchObject({
      state: 'done',
      done: 1000,
      scored: 1000,
      reused: 0,
      resent: 0,
      unscored: {},
    });
    expect(new Set(ledger.verdicts.map(({ sample }) => sample)).size).toBe(1000);
    expect(ledger.verdicts).toHaveLength(1000);
    expect(ledger.attempts).toHaveLength(calls.length);
    expect(calls.length).toBeGreaterThan(1020);
    expect(calls.filter(({ billed }) => billed)).toHaveLength(1000);
  }, 60_000);

  it('gives the value that the judge means, whatever the truth', async () => {
    const dataset = samples(30);
    const value = (index: number) => String((index % 3) + 1);
    const { ledger } = await runScene({
      samples: dataset,
      simulator: {
        truth: truthTable(
          dataset.map(({ content }, index) => ({
            output: content.kind === 'single' ? content.output : '',
            value: value(index),
          })),
        ),
      },
    });
    const given = new Map(ledger.verdicts.map(({ sample, result }) => [sample, result]));
    dataset.forEach(({ id }, index) => {
      expect(given.get(id)).toMatchObject({ outcome: 'scored', value: value(index) });
    });
  });

  it('tells what it plans, how it goes and how it ended', async () => {
    const { events, ledger } = await runScene({ samples: samples(3), options: { concurrency: 1 } });
    expect(events.map(({ type }) => type)).toEqual([
      'planned',
      'progress',
      'progress',
      'progress',
      'finished',
    ]);
    expect(events[0]).toEqual({ type: 'planned', run: 'run-1', total: 3 });
    expect(events.at(-1)).toMatchObject({ state: 'done', done: 3, total: 3, scored: 3 });
    expect(ledger.runs.get('run-1')).toMatchObject({ planned: 3, state: 'done', judge: 'accuracy-judge@3' });
  });

  it('asks a pair in both orders and stores what each said of the answers', async () => {
    const dataset = [sampleOf(pair('The longer and the better answer.', 'A short answer here.'))];
    const truth = truthTable([
      { a: 'The longer and the better answer.', b: 'A short answer here.', value: 'a' },
    ]);
    const { ledger } = await runScene({
      judge: resolved({ criteria: ['better'] }),
      samples: dataset,
      simulator: { truth },
    });
    expect(
      ledger.verdicts.map(({ order, result }) => [order, result.outcome === 'scored' && result.value]).sort(),
    ).toEqual([
      ['ab', 'a'],
      ['ba', 'a'],
    ]);
  });

  it('shows a judge that takes the first slot for what it is', async () => {
    const dataset = [sampleOf(pair('One answer to the question.', 'Another answer to it.'))];
    const { ledger } = await runScene({
      judge: resolved({ criteria: ['better'] }),
      samples: dataset,
      simulator: { temper: { positionBias: 1 } },
    });
    expect(new Map(ledger.verdicts.map(({ order, result }) => [order, result]))).toMatchObject(
      new Map([
        ['ab', { outcome: 'scored', value: 'a' }],
        ['ba', { outcome: 'scored', value: 'b' }],
      ]),
    );
  });

  it('holds no more samples than its workers need', async () => {
    let drawn = 0;
    let furthest = 0;
    const dataset = samples(2000);
    const fit = {
      label_set: 'replies@1',
      label_set_hash: 'sha256:x',
      n: 1,
      criteria: { accuracy: { rule: 'constant' as const, value: '3' } },
    };
    const { ledger } = await runScene({
      options: {
        resolved: resolved({ provider: 'baseline', model: 'majority@1' }),
        fit,
        samples: (function* () {
          for (const sample of dataset) {
            drawn++;
            yield sample;
          }
        })(),
        total: dataset.length,
        concurrency: 16,
        onEvent: (event) => {
          if (event.type === 'progress') furthest = Math.max(furthest, drawn - event.done);
        },
      },
    });
    expect(ledger.verdicts).toHaveLength(2000);
    expect(furthest).toBeLessThanOrEqual(256 + 16);
  });

  it('takes samples that arrive one by one', async () => {
    async function* arriving() {
      yield* samples(5);
    }
    const { summary } = await runScene({ options: { samples: arriving(), total: 5 } });
    expect(summary).toMatchObject({ done: 5, scored: 5 });
  });
});

describe('a run that goes on', () => {
  it('sends only what is unanswered after an abort', async () => {
    const ledger = new MemoryLedger();
    const dataset = samples(200);
    const stopper = new AbortController();
    const first = await runScene({
      ledger,
      samples: dataset,
      options: {
        concurrency: 8,
        signal: stopper.signal,
        onEvent: (event) => {
          if (event.type === 'progress' && event.done === 60) stopper.abort();
        },
      },
    });
    expect(first.summary).toMatchObject({ state: 'stopped' });
    expect(ledger.runs.get('run-1')).toMatchObject({ state: 'stopped', why: 'stopped by request' });
    const answered = first.calls.length;
    expect(answered).toBeGreaterThanOrEqual(60);
    expect(answered).toBeLessThanOrEqual(68);
    expect(ledger.verdicts).toHaveLength(answered);

    const second = await runScene({ ledger, samples: dataset });
    expect(second.calls).toHaveLength(200 - answered);
    expect(second.summary).toMatchObject({ state: 'done', done: 200, reused: answered, resent: 0 });
    expect(new Set(ledger.verdicts.map(({ sample }) => sample)).size).toBe(200);
    expect(ledger.verdicts).toHaveLength(200);
  });

  it('sends nothing where everything is answered', async () => {
    const ledger = new MemoryLedger();
    await runScene({ ledger, samples: samples(5) });
    const again = await runScene({ ledger, samples: samples(5) });
    expect(again.calls).toEqual([]);
    expect(again.summary).toMatchObject({ state: 'done', done: 5, reused: 5, scored: 0 });
  });

  it('asks again where the provider failed, and not where the judge could not say', async () => {
    const ledger = new MemoryLedger();
    const faults: (Fault | null)[] = [status(422), { kind: 'answer', finish: 'refusal' }, null];
    await runScene({
      ledger,
      samples: samples(3),
      simulator: { faults: ({ number }) => faults[number - 1] ?? null },
      options: { concurrency: 1 },
    });
    const again = await runScene({ ledger, samples: samples(3) });
    expect(again.calls).toHaveLength(1);
    expect(again.summary).toMatchObject({ reused: 2, scored: 1 });
  });

  it('resends and counts calls that a killed run had sent and never heard of', async () => {
    const ledger = new MemoryLedger();
    const dataset = samples(4);
    const killed = new MemoryLedger();
    await runScene({ ledger: killed, samples: dataset });
    for (const { call } of killed.attempts.slice(0, 2))
      await ledger.intend('killed', call, { turn: 1, max_output_tokens: 800, ceiling_usd: null });
    const { summary, calls } = await runScene({ ledger, samples: dataset });
    expect(summary).toMatchObject({ state: 'done', resent: 2, scored: 4 });
    expect(calls).toHaveLength(4);
  });

  it('gives up on calls in flight at a second request, and owns that they may be billed', async () => {
    const [stopper, cutter] = [new AbortController(), new AbortController()];
    const { summary, outcomes } = await runScene({
      samples: samples(20),
      simulator: {
        faults: ({ number }) => {
          if (number === 4) {
            stopper.abort();
            setTimeout(() => cutter.abort(), 20);
          }
          return number === 1 ? null : { kind: 'stall' };
        },
      },
      options: { concurrency: 3, signal: stopper.signal, cutoff: cutter.signal },
    });
    expect(summary).toMatchObject({ state: 'stopped', done: 4 });
    expect(outcomes).toEqual(['scored', 'unknown', 'unknown', 'unknown']);
  });

  it('ends at once when it is stopped during a wait', async () => {
    const stopper = new AbortController();
    const { summary, outcomes, ledger } = await runScene({
      simulator: { faults: () => status(429, { headers: { 'retry-after': '600' } }) },
      options: {
        signal: stopper.signal,
        sleep: async () => stopper.abort(),
      },
    });
    expect(summary).toMatchObject({ state: 'stopped', done: 0 });
    expect(outcomes).toEqual([]);
    expect(ledger.attempts).toMatchObject([{ receipt: { cost_usd: 0 } }]);
  });
});

describe('a run that cannot go on', () => {
  it.each([
    [401, {}, 'key_refused', 2],
    [403, {}, 'key_refused', 2],
    [404, { code: 'model_not_found' }, 'model_gone', 2],
    [400, { code: 'unsupported_value' }, 'unsupported_parameter', 2],
    [429, { code: 'insufficient_quota' }, 'quota', 75],
    [402, { type: 'billing_error' }, 'quota', 75],
  ])('stops at the first %i %j', async (code, more, problemCode, exitCode) => {
    const state = exitCode === 75 ? 'paused' : 'failed';
    const { problem, calls, ledger, outcomes, events } = await runScene({
      samples: samples(50),
      simulator: { faults: () => status(code, more) },
      options: { concurrency: 1 },
    });
    expect(problem).toMatchObject({ name: 'Problem', code: problemCode, exitCode });
    expect(problem?.message).toContain('accuracy-judge@3');
    expect(problem?.message).toContain('gpt-4.1-2025-04-14');
    expect(calls).toHaveLength(1);
    expect(outcomes).toEqual(['provider_error']);
    expect(ledger.final.size).toBe(0);
    expect(ledger.runs.get('run-1')).toMatchObject({ state, why: problem?.message });
    expect(events.at(-1)).toMatchObject({ type: 'finished', state });
  });

  it('loses one call where it could not begin, however many may be in flight', async () => {
    const { calls } = await runScene({
      samples: samples(500),
      simulator: { faults: () => status(401) },
      options: { concurrency: 64 },
    });
    expect(calls).toHaveLength(1);
  });

  it('sends no more than it had in flight', async () => {
    const { calls } = await runScene({
      samples: samples(500),
      simulator: { faults: ({ number }) => (number > 100 ? status(401) : null) },
      options: { concurrency: 8 },
    });
    expect(calls.length).toBeLessThanOrEqual(108);
  });

  it.each([
    ['for longer than it waits', { 'retry-after': '7200' }],
    ['for ever', {}],
  ])('pauses where it is told to wait %s', async (_, headers) => {
    const { problem, outcomes } = await runScene({
      simulator: { faults: () => status(429, { headers }) },
    });
    expect(problem).toMatchObject({ code: 'provider_busy', exitCode: 75 });
    expect(problem?.remedy).toMatch(/^Run again after 2026-11-30T1\d:\d\d/);
    expect(outcomes).toEqual(['provider_error']);
  });

  it('stops where a provider fails call after call', async () => {
    const { problem, calls } = await runScene({
      samples: samples(500),
      simulator: { faults: () => status(422, { message: 'not today' }) },
      options: { concurrency: 4 },
    });
    expect(problem).toMatchObject({ code: 'provider_failing', exitCode: 75 });
    expect(problem?.message).toContain('not today');
    expect(calls.length).toBeLessThan(40);
  });

  it('stops where a provider never answers, call after call', async () => {
    const { problem, outcomes } = await runScene({
      samples: samples(500),
      simulator: { faults: () => ({ kind: 'stall' }) },
      deadlineMs: 30,
      options: { concurrency: 8 },
    });
    expect(problem).toMatchObject({ code: 'provider_failing' });
    expect(outcomes.length).toBeGreaterThanOrEqual(28);
    expect(outcomes.length).toBeLessThan(50);
    expect(outcomes).not.toContain('scored');
  });

  it('pauses where the host cannot be reached, and names it', async () => {
    const { problem, outcomes, waits } = await runScene({ unreachable: true });
    expect(problem).toMatchObject({ code: 'unreachable', exitCode: 75 });
    expect(problem?.message).toMatch(/can't reach its provider: .*127\.0\.0\.1/);
    expect(outcomes).toEqual(['provider_error']);
    expect(waits).toHaveLength(5);
  });

  it('stops and scores nothing where another model answers than the pinned one', async () => {
    const { problem, ledger, calls } = await runScene({
      samples: samples(200),
      simulator: {
        faults: ({ number }) => (number >= 37 ? { kind: 'served', model: 'gpt-4.1-2025-09-09' } : null),
      },
      options: { concurrency: 4 },
    });
    expect(problem).toMatchObject({ code: 'served_model' });
    expect(problem?.message).toBe(
      'judge accuracy-judge@3 is pinned to gpt-4.1-2025-04-14, and gpt-4.1-2025-09-09 answered; nothing of that answer was scored',
    );
    expect(calls.length).toBeLessThanOrEqual(40);
    const scored = ledger.verdicts.filter(({ result }) => result.outcome === 'scored');
    expect(scored).toHaveLength(36);
    expect(new Set(scored.map(({ served_model }) => served_model))).toEqual(new Set(['gpt-4.1-2025-04-14']));
    expect(ledger.final.size).toBe(36);
  });

  it('keeps answers that were in flight when another model answered out of every figure', async () => {
    const { problem, ledger, calls } = await runScene({
      samples: samples(200),
      simulator: {
        latencyMs: 20,
        faults: ({ number }) => {
          if (number < 60) return null;
          return number === 60 ? { kind: 'served', model: 'gpt-4.1-2025-09-09' } : { kind: 'late', ms: 150 };
        },
      },
      options: { concurrency: 16 },
    });
    expect(problem).toMatchObject({ code: 'served_model' });
    const late = ledger.verdicts.filter(({ result }) => result.reason.startsWith('quarantined: '));
    expect(late.length).toBeGreaterThan(0);
    expect(late.length).toBeLessThan(16);
    expect(new Set(late.map(({ result }) => result.outcome))).toEqual(new Set(['provider_error']));
    const scored = ledger.verdicts.filter(({ result }) => result.outcome === 'scored');
    expect(scored).toHaveLength(calls.length - late.length - 1);
    expect(ledger.final.size).toBe(scored.length);
    expect(ledger.runs.get('run-1')?.why).toContain(
      `; ${late.length} answers that came after it are in quarantine: kept, and in no figure`,
    );
  });

  it('goes on where the fingerprint changes, and says how many answers bore which', async () => {
    const { ledger, summary } = await runScene({
      samples: samples(10),
      simulator: {
        faults: ({ number }) => (number > 6 ? { kind: 'fingerprint', fingerprint: 'fp_other' } : null),
      },
      options: { concurrency: 1 },
    });
    expect(summary).toMatchObject({ state: 'done', scored: 10 });
    expect(ledger.verdicts.map(({ fingerprint }) => fingerprint)).toEqual([
      ...Array(6).fill('fp_simulator'),
      ...Array(4).fill('fp_other'),
    ]);
    expect(ledger.runs.get('run-1')?.why).toBe(
      'gpt-4.1-2025-04-14 answered under 2 fingerprints: fp_simulator (6 answers), fp_other (4 answers)',
    );
  });

  it('lets a judge that says it floats be answered by any model, and keeps its name', async () => {
    const { ledger, problem } = await runScene({
      judge: resolved({ model: 'gpt-4.1', allow_floating: true }),
      simulator: { faults: () => ({ kind: 'served', model: 'gpt-4.1-2025-09-09' }) },
    });
    expect(problem).toBeNull();
    expect(ledger.verdicts).toMatchObject([
      { served_model: 'gpt-4.1-2025-09-09', result: { outcome: 'scored' } },
    ]);
  });

  it('stops where a simulator answers that nobody declared', async () => {
    const { problem, outcomes } = await runScene({ simulator: { anonymous: false } });
    expect(problem).toMatchObject({ code: 'simulator_unmarked' });
    expect(outcomes).toEqual(['provider_error']);
  });

  it('marks a run whose simulator is declared', async () => {
    const { problem, ledger } = await runScene({ simulator: { anonymous: false }, simulated: true });
    expect(problem).toBeNull();
    expect(ledger.runs.get('run-1')).toMatchObject({ state: 'done', simulated: true });
  });

  it('asks nothing of an answer that is none, unless the judge says so', async () => {
    const dataset = ['', ':', 'Solution:', 'It was sent on Monday, as the record says.'].map((output) =>
      sampleOf(single(output)),
    );
    const scene = await runScene({ samples: dataset });
    expect(scene.calls).toHaveLength(1);
    expect(scene.summary).toMatchObject({ state: 'done', done: 4, scored: 1, unscored: { trivial: 3 } });
    expect(scene.ledger.verdicts.map(({ result }) => result.reason)).toContain(
      'the answer holds nothing but "Solution:"',
    );
    expect(scene.ledger.final.size).toBe(4);
    const asked = await runScene({ samples: dataset, judge: resolved({ trivial: 'ask' }) });
    expect(asked.calls.length).toBeGreaterThanOrEqual(4);
  });

  it('stops before anything is sent where the model does not take a parameter', async () => {
    const judge = resolved({ model: 'gpt-5-2025-08-07', params: { temperature: 0 } });
    const { problem, calls, ledger } = await runScene({ judge });
    expect(problem).toMatchObject({ code: 'unsupported_parameter' });
    expect(calls).toEqual([]);
    expect(ledger.runs.size).toBe(0);
  });

  it('passes a bug on, after its calls in flight are heard', async () => {
    const bug = new TypeError('a bug');
    function* broken(): Generator<Sample> {
      yield* samples(300);
      throw bug;
    }
    const { problem, ledger } = await runScene({ options: { samples: broken(), total: 301 } });
    expect(problem).toBe(bug);
    expect(ledger.attempts.every(({ receipt }) => receipt !== null)).toBe(true);
    expect(ledger.runs.get('run-1')).toMatchObject({ state: 'failed' });
  });
});

describe('all workers of a model', () => {
  it('wait together where one is told to', async () => {
    const { summary, waits, ledger } = await runScene({
      samples: samples(64),
      simulator: {
        faults: ({ number }) => (number <= 8 ? status(429, { headers: { 'retry-after': '2' } }) : null),
      },
      options: { concurrency: 8 },
    });
    expect(summary).toMatchObject({ scored: 64 });
    expect(ledger.attempts).toHaveLength(72);
    expect(waits.length).toBeGreaterThan(0);
    expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeLessThan(8 * 4000);
  });
});
