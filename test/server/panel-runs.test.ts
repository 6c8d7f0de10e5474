import { createReadStream } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nativeDigest } from '../../harness/digest.ts';
import { parseMapping } from '../../harness/formats/in/mapping.ts';
import { loadRubric } from '../../harness/workspace/rubrics.ts';
import { importFile } from '../../server/import.ts';
import type { StartOptions } from '../../server/run-job.ts';
import type { Fault } from '../simulator/fault.ts';
import { createSimulator, type Simulator } from '../simulator/simulator.ts';
import { type TestServer, testServer } from '../support/server.ts';
import { TONE_RUBRIC } from '../support/tone.ts';
import { type TemporaryWorkspace, temporaryWorkspace } from '../support/workspace.ts';

const MODEL = 'sim-judge-2026-01-01';
const member = (id: string) =>
  `judge: ${id}\nversion: 1\nrubric: tone@1\ncriteria: [polite]\nprovider: openai-compatible\nmodel: ${MODEL}\nendpoint: sim\nparams: {seed: ${id.charCodeAt(0)}}\n`;

let simulator: Simulator;
let workspace: TemporaryWorkspace;
let server: TestServer;
let fault: Fault | null;
beforeEach(async () => {
  fault = null;
  simulator = await createSimulator({ faults: () => fault });
  workspace = temporaryWorkspace({
    'touchstone.yaml': `name: test\nendpoints:\n  sim: {base_url: "${simulator.origin}/v1", simulated: true}\nprices:\n  - {provider: openai-compatible, model: ${MODEL}, input: 1, output: 4}\n`,
    'rubrics/tone/v1.yaml': TONE_RUBRIC,
    'judges/a/v1.yaml': member('a'),
    'judges/b/v1.yaml': member('b'),
    'judges/c/v1.yaml': member('c'),
    'judges/bench/v1.yaml':
      'judge: bench\nversion: 1\nrubric: tone@1\ncriteria: [polite]\npanel: [a@1, b@1, c@1]\nvote: majority\n',
    'rows.jsonl': Array.from({ length: 30 }, (_, i) =>
      JSON.stringify({ id: `r${i}`, input: `Order ${i} is late.`, output: `Order ${i} arrives tomorrow.` }),
    ).join('\n'),
  });
  server = testServer(workspace);
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
});
afterEach(async () => {
  server.close();
  await simulator.close();
  await workspace[Symbol.asyncDispose]();
});

async function run(options: Partial<StartOptions> = {}) {
  const active = await server.services.runs.start({ judge: 'bench@1', dataset: 'd', ...options });
  const problem = await active.ended.then(
    () => null,
    (error: unknown) => error,
  );
  return { row: server.services.store.runs.get(active.id), tally: active.tally, problem };
}
const verdicts = (name: string) => {
  const { store } = server.services;
  const judges = store.verdicts.judgesOf(store.samples.dataset('d').id);
  return judges.find((judge) => judge.name === name)?.verdicts ?? 0;
};

describe('a panel’s run', () => {
  it('keeps its members within one budget, and goes on with what they answered under a larger one', async () => {
    const first = await run({ budget_usd: 0.01, concurrency: 2 });
    expect(first.problem).toMatchObject({ code: 'budget_spent', exitCode: 75 });
    expect(first.row).toMatchObject({ state: 'paused', budget_usd: 0.01 });
    const spent = server.services.store.runs.list().reduce((sum, row) => sum + (row.cost_usd ?? 0), 0);
    expect(spent).toBeLessThanOrEqual(0.01);
    expect(verdicts('bench@1')).toBe(0);
    const sent = simulator.calls.length;
    const second = await run({ budget_usd: 1 });
    expect(second.row).toMatchObject({ id: first.row?.id, state: 'done' });
    expect(simulator.calls.length).toBe(90);
    expect(second.tally).toMatchObject({ done: 90, reused: sent });
    expect(verdicts('bench@1')).toBe(30);
  }, 30_000);

  it('that is stopped stops the member that runs, starts no other and gives no verdict', async () => {
    let stop = () => {};
    const { runs, store } = server.services;
    const active = await runs.start({
      judge: 'bench@1',
      dataset: 'd',
      concurrency: 1,
      onEvent: (event) => {
        if (event.type === 'progress' && event.done === 5) stop();
      },
    });
    stop = active.stop;
    await active.ended;
    const [panel, first, ...more] = store.runs
      .list()
      .toSorted((one, other) => one.id.localeCompare(other.id));
    expect(panel).toMatchObject({ judge: 'bench@1', state: 'stopped', why: 'a@1: stopped by request' });
    expect(first).toMatchObject({ judge: 'a@1', state: 'stopped' });
    expect(more).toEqual([]);
    expect(verdicts('bench@1')).toBe(0);
    expect((await run()).row).toMatchObject({ id: panel?.id, state: 'done' });
    expect(simulator.calls.length).toBe(90);
  }, 30_000);

  it('over the first samples gives verdicts of these alone', async () => {
    expect((await run({ limit: 4 })).row).toMatchObject({ state: 'done', limit: 4 });
    expect(verdicts('bench@1')).toBe(4);
    expect(simulator.calls.length).toBe(12);
  }, 30_000);

  it('passes on that its members answered what can’t be read, as the reason why it has no value', async () => {
    fault = { kind: 'answer', text: 'Well.' };
    const { tally } = await run({ limit: 2 });
    expect(tally).toMatchObject({ scored: 0, unscored: { invalid: 2 } });
  }, 30_000);

  it('tells of its verdict that nobody was asked, and shows its members on the list of judges', async () => {
    await run({ limit: 1 });
    const { store } = server.services;
    const seq = store.samples.ids(store.samples.dataset('d').id)[0]?.seq ?? 0;
    const own = store.verdicts.ofSample(seq).find((verdict) => verdict.judge === 'bench@1');
    const story = await (
      await server.as('ada').verdicts[':verdict'].$get({ param: { verdict: String(own?.id) } })
    ).json();
    expect(story).toMatchObject({
      judge: 'bench@1',
      attempts: [],
      request: { shown: 'none', why: expect.stringContaining('A panel asks nobody') },
    });
    const listed = await (await server.as('ada').judges.$get()).json();
    expect(listed).toMatchObject({ problems: [] });
    expect(JSON.stringify(listed)).toContain('"panel":["a@1","b@1","c@1"],"vote":"majority"');
  }, 30_000);
});
