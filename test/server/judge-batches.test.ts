import { createReadStream } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { nativeDigest } from '../../harness/digest.ts';
import { parseMapping } from '../../harness/formats/in/mapping.ts';
import { loadRubric } from '../../harness/workspace/rubrics.ts';
import { importFile } from '../../server/import.ts';
import type { StartOptions } from '../../server/run-job.ts';
import { CANARY, MODELS } from '../harness/provider/open-test-provider.ts';
import type { BatchFault } from '../simulator/batch.ts';
import { createSimulator, type Simulator, type SimulatorOptions } from '../simulator/simulator.ts';
import { type TestServer, testServer } from '../support/server.ts';
import { TONE_RUBRIC } from '../support/tone.ts';
import { type TemporaryWorkspace, temporaryWorkspace } from '../support/workspace.ts';

type Provider = 'openai' | 'openai-responses' | 'anthropic';
const PROVIDERS: readonly Provider[] = ['openai', 'openai-responses', 'anthropic'];
const QUICK = { pollMs: 5, searchMs: 1 };

let simulator: Simulator;
let workspace: TemporaryWorkspace;
let server: TestServer;
let batchFault: BatchFault | null;
let faults: SimulatorOptions['faults'];
let said: string[];

async function open(provider: Provider, { samples = 6, more = {} as SimulatorOptions } = {}): Promise<void> {
  batchFault = null;
  faults = () => null;
  said = [];
  simulator = await createSimulator({
    faults: (call) => faults?.(call) ?? null,
    batchFaults: () => batchFault,
    ...more,
  });
  const rows = Array.from({ length: samples }, (_, i) =>
    JSON.stringify({
      id: `r${i}`,
      input: `Order ${i} is late.`,
      output: `Hello, order ${i} arrives tomorrow.`,
    }),
  );
  workspace = temporaryWorkspace({
    'touchstone.yaml': 'name: test\n',
    'rubrics/tone/v1.yaml': TONE_RUBRIC,
    'judges/polite/v1.yaml': `judge: polite\nversion: 1\nrubric: tone@1\ncriteria: [polite]\nprovider: ${provider}\nmodel: ${MODELS[provider]}\n`,
    'rows.jsonl': rows.join('\n'),
  });
  reopen();
  await importFile(server.services.store, createReadStream(workspace.path('rows.jsonl')), {
    dataset: 'd',
    format: 'jsonl',
    kind: 'single',
    mapping: parseMapping([]),
    criterion: null,
    rubric: loadRubric(workspace, 'tone@1').rubric,
    digest: nativeDigest,
    now: '2026-03-01T08:00:00.000Z',
  });
}

function reopen(): void {
  server = testServer(workspace, {
    OPENAI_API_KEY: CANARY,
    ANTHROPIC_API_KEY: CANARY,
    OPENAI_BASE_URL: `${simulator.origin}/v1`,
    ANTHROPIC_BASE_URL: simulator.origin,
    TOUCHSTONE_SIMULATED: '1',
  });
}

async function start(options: Partial<StartOptions> = {}) {
  return server.services.runs.start({
    judge: 'polite@1',
    dataset: 'd',
    batch: QUICK,
    onEvent: (event) => {
      if (event.type === 'batch') said.push(event.text);
    },
    ...options,
  });
}

/** Runs to the end. @returns the run's row, and the Problem that ended it early. */
async function run(options: Partial<StartOptions> = {}) {
  const active = await start(options);
  const problem: unknown = await active.ended.then(
    () => null,
    (error: unknown) => error,
  );
  return { row: server.services.store.runs.get(active.id), tally: active.tally, problem };
}

const batched = () => simulator.calls.filter((call) => call.batched).length;
const alone = () => simulator.calls.filter((call) => !call.batched).length;
const states = () => server.services.store.batches.list().map(({ state }) => state);

afterEach(async () => {
  server.close();
  await simulator.close();
  await workspace[Symbol.asyncDispose]();
});

describe.each(PROVIDERS)('a run in batches on %s', (provider) => {
  it('gives the verdicts of a live run, for half the price', async () => {
    await open(provider, { more: { temper: { accuracy: 0.7 } } });
    const values = () => {
      const { store } = server.services;
      const [judge] = store.verdicts.judgesOf(store.samples.dataset('d').id);
      return judge?.verdicts;
    };
    const { row, tally, problem } = await run();
    expect(problem).toBeNull();
    expect(row).toMatchObject({ state: 'done', sent: 6, answered: 6 });
    expect(tally).toMatchObject({ done: 6, scored: 6 });
    expect([batched(), alone(), values()]).toEqual([6, 0, 6]);
    expect(states()).toEqual(['taken']);
    const half = row?.cost_usd ?? 0;
    workspace.write(
      'judges/polite/v2.yaml',
      `judge: polite\nversion: 2\nrubric: tone@1\ncriteria: [polite]\nprovider: ${provider}\nmodel: ${MODELS[provider]}\nparams: {max_output_tokens: 900}\n`,
    );
    const live = await run({ judge: 'polite@2', batch: undefined });
    expect(alone()).toBe(6);
    expect(half).toBeGreaterThan(0);
    expect(half / (live.row?.cost_usd ?? 0)).toBeCloseTo(0.5, 1);
  });

  it('cuts what is too much for one batch into several', async () => {
    await open(provider);
    const { problem } = await run({ batch: { ...QUICK, most: 4 } });
    expect(problem).toBeNull();
    expect(simulator.batches.map(({ items }) => items.length)).toEqual([4, 2]);
    expect(batched()).toBe(6);
  });

  it('asks again in single calls where a quote does not stand in the text', async () => {
    await open(provider, { more: { temper: { fabricatedQuotes: 0.5 } } });
    const { row, problem } = await run();
    expect(problem).toBeNull();
    expect(batched()).toBe(6);
    expect(alone()).toBeGreaterThan(0);
    expect(row?.sent).toBe(6 + alone());
  });

  it('settles every call from the errors where none was answered', async () => {
    await open(provider);
    batchFault = { kind: 'errors', status: 500, type: 'api_error', message: 'no luck' };
    const { row, tally, problem } = await run();
    expect(problem).toBeNull();
    expect(row).toMatchObject({ answered: 0, cost_usd: 0 });
    expect(tally).toMatchObject({ done: 6, scored: 0, unscored: { provider_error: 6 } });
    batchFault = null;
    expect((await run()).tally).toMatchObject({ done: 6, scored: 6, resent: 0 });
  });

  it.each([false, true])(
    'keeps what an expired batch holds and makes the rest live (files silent: %s)',
    async (silent) => {
      await open(provider);
      batchFault = {
        kind: 'partial',
        end: 'expired',
        answered: 2,
        silent: silent && provider !== 'anthropic',
      };
      const { row, tally, problem } = await run();
      expect(problem).toBeNull();
      expect([batched(), alone()]).toEqual([2, 4]);
      expect(row).toMatchObject({ state: 'done', sent: 10, answered: 6 });
      expect(tally).toMatchObject({ done: 6, scored: 6 });
      expect(said.join('\n')).toContain('made one by one now, at full price');
    },
  );

  it('keeps what a cancelled batch holds and leaves the rest for the next run', async () => {
    await open(provider);
    batchFault = { kind: 'partial', end: 'cancelled', answered: 2 };
    const { row, problem } = await run();
    expect(problem).toMatchObject({ code: 'batch_cancelled' });
    expect(row).toMatchObject({ state: 'paused', answered: 2 });
    batchFault = null;
    const next = await run();
    expect(next.tally).toMatchObject({ done: 6, reused: 2, scored: 4, resent: 0 });
    expect([batched(), alone()]).toEqual([6, 0]);
  });

  it('takes results by their key: the second of two is ignored, a missing one is unknown, others are put aside', async () => {
    await open(provider);
    batchFault = { kind: 'disorder' };
    const { tally, problem } = await run();
    expect(problem).toBeNull();
    expect(tally).toMatchObject({ done: 6, scored: 5, unscored: { unknown: 1 } });
    expect(server.services.store.batches.list()[0]).toMatchObject({ state: 'taken', settled: 6, strays: 2 });
    expect(said.at(-1)).toContain('1 given twice, the first counts, 2 that name no call of ours, put aside');
    expect(alone()).toBe(0);
  });

  it('pauses where results are not there, sends nothing again, and fetches them later', async () => {
    await open(provider);
    batchFault = { kind: 'gone', times: 1 };
    const { row, problem } = await run();
    expect(problem).toMatchObject({ code: 'batch_unfetched' });
    expect(String(problem)).toContain('6 calls are unknown');
    expect(row?.state).toBe('paused');
    await expect(start({ batch: undefined })).rejects.toMatchObject({ code: 'batches_left' });
    expect((await run()).tally).toMatchObject({ done: 6, scored: 6 });
    expect([batched(), alone(), simulator.batches.length]).toEqual([6, 0, 1]);
  });

  it('counts results that are gone for good as unknown once it is told to, and sends them again only then', async () => {
    await open(provider);
    batchFault = { kind: 'gone', times: 99 };
    await run();
    const { tally } = await run({ batch: { ...QUICK, giveUp: true } });
    expect(tally).toMatchObject({ done: 6, scored: 0, unscored: { unknown: 6 } });
    expect(states()).toEqual(['given_up']);
    expect(simulator.batches).toHaveLength(1);
    batchFault = null;
    expect((await run()).tally).toMatchObject({ done: 6, scored: 6, resent: 6 });
  });

  it('finds a batch that was made without its answer being heard', async () => {
    await open(provider);
    batchFault = { kind: 'untold', how: 'cut' };
    const { row, problem } = await run();
    expect(problem).toBeNull();
    expect(row).toMatchObject({ state: 'done', sent: 6, answered: 6 });
    expect(simulator.batches).toHaveLength(1);
  });

  it('says why the provider does not take a batch, and leaves its calls open', async () => {
    await open(provider);
    batchFault = { kind: 'unmade', status: 402, type: 'billing_error', message: 'no credit' };
    const { row, problem } = await run();
    expect(problem).toMatchObject({ code: 'quota' });
    expect(row).toMatchObject({ state: 'paused', cost_usd: 0 });
    expect(states()).toEqual(['unmade']);
    batchFault = null;
    expect((await run()).tally).toMatchObject({ done: 6, scored: 6, resent: 0 });
  });

  it('leaves the batch with the provider when it is stopped, and picks it up', async () => {
    await open(provider, { more: { batchLooks: 3 } });
    const active = await start({ batch: { ...QUICK, pollMs: 60_000 } });
    while (said.length < 2) await new Promise((go) => setTimeout(go, 5));
    active.stop();
    await active.ended;
    expect(server.services.store.runs.get(active.id)?.state).toBe('stopped');
    expect(states()).toEqual(['sent']);
    server.close();
    reopen();
    const { row, tally } = await run();
    expect(row).toMatchObject({ id: active.id, state: 'done', sent: 6, answered: 6 });
    expect(tally).toMatchObject({ done: 6, scored: 6 });
    expect(simulator.batches).toHaveLength(1);
  });

  it('settles all of a batch that another model answered, scores nothing, and stops', async () => {
    await open(provider);
    faults = () => ({ kind: 'served', model: 'another-model' });
    const { row, problem } = await run();
    expect(problem).toMatchObject({ code: 'served_model' });
    expect(row?.state).toBe('failed');
    expect(server.services.store.batches.list()[0]).toMatchObject({ state: 'taken', settled: 6 });
  });

  it('hands in as much at a time as the budget has room for', async () => {
    await open(provider);
    const { row, problem } = await run({ budget_usd: 0.02 });
    expect(problem).toBeNull();
    expect(row?.cost_usd).toBeLessThanOrEqual(0.02);
    expect(simulator.batches.length).toBeGreaterThan(1);
    expect(batched()).toBe(6);
  });

  it('hands in nothing where the budget has room for no call', async () => {
    await open(provider);
    const { row, problem } = await run({ budget_usd: 0.001 });
    expect(problem).toMatchObject({ code: 'budget_spent' });
    expect(row?.state).toBe('paused');
    expect(simulator.batches).toHaveLength(0);
  });
});

describe('a batch that OpenAI finds faulty', () => {
  it('is refused with the lines named, and its calls stay open', async () => {
    await open('openai');
    batchFault = { kind: 'invalid', lines: [2, 5] };
    const { row, problem } = await run();
    expect(problem).toMatchObject({ code: 'batch_refused' });
    expect(String(problem)).toMatch(/line 2 \(sample .+\): invalid_request: .+line 5 \(sample/);
    expect(row).toMatchObject({ state: 'failed', answered: 0, cost_usd: 0 });
    batchFault = null;
    expect((await run()).tally).toMatchObject({ done: 6, scored: 6, resent: 0 });
  });
});
