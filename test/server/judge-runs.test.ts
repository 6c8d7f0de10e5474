import { createReadStream } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nativeDigest } from '../../harness/digest.ts';
import { parseMapping } from '../../harness/formats/in/mapping.ts';
import { loadRubric } from '../../harness/workspace/rubrics.ts';
import { importFile } from '../../server/import.ts';
import type { StartOptions } from '../../server/run-job.ts';
import type { Fault } from '../simulator/fault.ts';
import { createSimulator, type Simulator, type SimulatorOptions } from '../simulator/simulator.ts';
import { type TestServer, testServer } from '../support/server.ts';
import { TONE_RUBRIC } from '../support/tone.ts';
import { type TemporaryWorkspace, temporaryWorkspace } from '../support/workspace.ts';

const CLEAR = `  - id: clear
    question: Is the reply clear?
    scale: binary
    levels:
      - {value: 'no', anchor: One has to guess what is meant.}
      - {value: 'yes', anchor: It says what happens next.}
    pass: {equals: 'yes'}
`;

const judge = (version: number, rubric = 'tone@1', more = '') => `judge: polite
version: ${version}
rubric: ${rubric}
criteria: [polite, clear]
provider: openai-compatible
endpoint: sim
model: sim-judge-2026-01-01
${more}`;

const PRICES =
  'prices:\n  - {provider: openai-compatible, model: sim-judge-2026-01-01, input: 1, output: 4}\n';

let simulator: Simulator;
let workspace: TemporaryWorkspace;
let server: TestServer;
let faults: SimulatorOptions['faults'];

async function open({ samples = 4, config = PRICES } = {}): Promise<void> {
  const rows = Array.from({ length: samples }, (_, i) =>
    JSON.stringify({
      id: `r${i}`,
      input: `Order ${i} is late.`,
      output: `Hello, order ${i} arrives tomorrow.`,
    }),
  );
  workspace = temporaryWorkspace({
    'touchstone.yaml': `name: test\nendpoints:\n  sim: {base_url: "${simulator.origin}/v1", simulated: true}\n${config}`,
    'rubrics/tone/v1.yaml': `${TONE_RUBRIC}${CLEAR}`,
    'judges/polite/v1.yaml': judge(1),
    'rows.jsonl': rows.join('\n'),
  });
  reopen();
  await bringIn('d');
}

function reopen(): void {
  server = testServer(workspace);
}

async function bringIn(dataset: string): Promise<void> {
  await importFile(server.services.store, createReadStream(workspace.path('rows.jsonl')), {
    dataset,
    format: 'jsonl',
    kind: 'single',
    mapping: parseMapping([]),
    criterion: null,
    rubric: loadRubric(workspace, 'tone@1').rubric,
    digest: nativeDigest,
    now: '2026-03-01T08:00:00.000Z',
  });
}

/** Runs to the end. @returns the run's row, and the Problem that ended it early. */
async function run(options: Partial<StartOptions> = {}) {
  const active = await server.services.runs.start({ judge: 'polite@1', dataset: 'd', ...options });
  const problem = await active.ended.then(
    () => null,
    (error: unknown) => error,
  );
  return { id: active.id, row: server.services.store.runs.get(active.id), tally: active.tally, problem };
}

beforeEach(async () => {
  faults = () => null;
  simulator = await createSimulator({ faults: (call) => faults?.(call) ?? null });
});
afterEach(async () => {
  server.close();
  await simulator.close();
  await workspace[Symbol.asyncDispose]();
});

const standing = (name: string, dataset = 'd') => {
  const { store } = server.services;
  const found = store.verdicts.judgesOf(store.samples.dataset(dataset).id).find((row) => row.name === name);
  return found === undefined ? null : { verdicts: found.verdicts, criteria: found.criteria.sort() };
};

describe('the next version of a judge', () => {
  it('asks again about the criterion that changed, and takes over what was said of the other', async () => {
    await open();
    await run();
    expect(simulator.calls).toHaveLength(8);
    const changed = `${TONE_RUBRIC}${CLEAR}`
      .replace('version: 1', 'version: 2')
      .replace('It says what happens next.', 'It says when and how.');
    workspace.write('rubrics/tone/v2.yaml', changed);
    workspace.write('judges/polite/v2.yaml', judge(2, 'tone@2'));
    const { tally, row } = await run({ judge: 'polite@2' });
    expect(simulator.calls).toHaveLength(12);
    expect(tally).toMatchObject({ done: 8, reused: 4, scored: 4 });
    expect(row).toMatchObject({ state: 'done', sent: 4 });
    expect(standing('polite@2')).toEqual({ verdicts: 8, criteria: ['clear', 'polite'] });
  });

  it('asks nothing where only its number is new', async () => {
    await open();
    await run();
    workspace.write('judges/polite/v2.yaml', judge(2));
    await run({ judge: 'polite@2' });
    expect(simulator.calls).toHaveLength(8);
    expect(standing('polite@2')).toEqual({ verdicts: 8, criteria: ['clear', 'polite'] });
    await run({ judge: 'polite@2' });
    expect(standing('polite@2')?.verdicts).toBe(8);
  });

  it('takes over what was said of the same samples in another dataset', async () => {
    await open();
    await run();
    await bringIn('other');
    await run({ dataset: 'other' });
    expect(simulator.calls).toHaveLength(8);
    expect(standing('polite@1', 'other')?.verdicts).toBe(8);
  });
});

describe('a plan', () => {
  const plan = async () => {
    const answer = await server.as('ann').runs.plan.$post({ json: { judge: 'polite@1', dataset: 'd' } });
    return answer.json();
  };

  it('says what is to be sent and what it can cost, and sends nothing', async () => {
    await open({ samples: 30 });
    const before = await plan();
    expect(simulator.calls).toHaveLength(0);
    expect(server.services.store.runs.list()).toEqual([]);
    expect(before).toMatchObject({
      samples: 30,
      calls: { planned: 60, answered: 0, unheard: 0, trivial: 0, to_send: 60 },
      cost: { about_usd: null },
      seconds: null,
    });
    const ended = await run({ limit: 10 });
    const after = await plan();
    expect(after.calls).toMatchObject({ planned: 60, answered: 20, to_send: 40 });
    expect(after.seconds).toBeGreaterThan(0);
    const report = server.services.store.runs.report(ended.id);
    expect(after.tokens.output).toBe(Math.round(((report?.usage.output ?? 0) / 20) * 40));
    // The bound holds: what the calls came to is less than they could have.
    const rest = await run();
    expect(rest.row?.cost_usd).toBeLessThan(after.cost.most_usd ?? 0);
    expect((await plan()).calls).toMatchObject({ answered: 60, to_send: 0 });
  });

  it('tells of calls that were never heard of, of answers that need no judge, and of a price that is not known', async () => {
    await open({ samples: 3, config: '' });
    let calls = 0;
    faults = () => (calls++ === 0 ? { kind: 'cut' } : null);
    await run({ concurrency: 1 });
    workspace.write('rows.jsonl', '{"id":"empty","input":"Where is it?","output":""}');
    await bringIn('d');
    const planned = await plan();
    expect(planned.calls).toEqual({ planned: 8, answered: 5, unheard: 1, trivial: 2, to_send: 1 });
    expect(planned.cost).toEqual({ about_usd: null, most_usd: null });
    expect(planned.basis).toContain('The price of openai-compatible sim-judge-2026-01-01 is not known');
  });
});

describe('a budget', () => {
  it('ends a run before it is gone over, and a larger one goes on with the same run', async () => {
    await open({ samples: 30 });
    const first = await run({ budget_usd: 0.01, concurrency: 4 });
    expect(first.problem).toMatchObject({ code: 'budget_spent', exitCode: 75 });
    expect(first.row).toMatchObject({ state: 'paused', budget_usd: 0.01 });
    expect(first.row?.cost_usd).toBeLessThanOrEqual(0.01);
    // what is left would not have paid for one more call at its worst
    expect(first.row?.cost_usd).toBeGreaterThan(0.003);
    const sent = simulator.calls.length;
    expect(sent).toBeGreaterThan(4);
    const second = await run({ budget_usd: 1 });
    expect(second.id).toBe(first.id);
    expect(second.row).toMatchObject({ state: 'done', answered: 60, budget_usd: 1 });
    expect(simulator.calls).toHaveLength(60);
  });

  it('counts what a run spent before it was resumed', async () => {
    await open({ samples: 30 });
    const first = await run({ budget_usd: 0.01 });
    const sent = simulator.calls.length;
    const again = await run();
    expect(again).toMatchObject({ id: first.id, problem: { code: 'budget_spent' } });
    expect(simulator.calls).toHaveLength(sent);
  });

  it('of a day is one for all runs', async () => {
    await open({ samples: 30, config: `${PRICES}budgets: {day_usd: 0.01}\n` });
    workspace.write('judges/polite/v2.yaml', judge(2, 'tone@1', 'params: {seed: 1}\n'));
    const ended = await Promise.all([run(), run({ judge: 'polite@2' })]);
    expect(ended.map(({ row }) => row?.state)).toEqual(['paused', 'paused']);
    const spent = ended.reduce((sum, { row }) => sum + (row?.cost_usd ?? 0), 0);
    expect(spent).toBeLessThanOrEqual(0.01);
    expect(spent).toBeGreaterThan(0.003);
  });

  it('is refused for a model without a price, before anything is sent', async () => {
    await open({ config: '' });
    await expect(run({ budget_usd: 1 })).rejects.toMatchObject({
      code: 'price_unknown',
      message:
        "judge polite@1 can't be held to a budget: its price is not known (openai-compatible, sim-judge-2026-01-01)",
    });
    expect(simulator.calls).toEqual([]);
    expect(server.services.store.runs.list()).toEqual([]);
  });

  it('keeps what is reserved for a call that was never heard of', async () => {
    await open({ samples: 30, config: PRICES });
    faults = ({ number }): Fault | null => (number <= 3 ? { kind: 'reset' } : null);
    const { row, problem } = await run({ budget_usd: 0.03, concurrency: 1 });
    expect(problem).toMatchObject({ code: 'budget_spent' });
    // three answers were lost: what they may have cost is not spent a second time
    expect(row?.cost_usd).toBeGreaterThan(0);
    expect(row?.cost_usd).toBeLessThan(0.015);
  });
});

describe('calls that were sent and never heard of', () => {
  it('are held where that is asked for, named, and sent again once when they are released', async () => {
    await open();
    faults = ({ number }): Fault | null => (number <= 2 ? { kind: 'reset' } : null);
    const first = await run({ concurrency: 1 });
    expect(first.row).toMatchObject({ state: 'done', answered: 6 });
    const held = await run({ on_unknown: 'hold' });
    expect(simulator.calls).toHaveLength(8);
    expect(held.id).toBe(first.id);
    expect(held.tally).toMatchObject({ done: 8, held: 2, resent: 0 });
    const { store } = server.services;
    expect(store.runs.report(held.id)).toMatchObject({
      calls: { planned: 8, answered: 6, reused: 0 },
      verdicts: { scored: 6, unscored: { unknown: 2 } },
      attempts: { sent: 8, lost: 2, resent: 0 },
      cost: { in_doubt: 2, unpriced: 0 },
      unknown: [{ sample: 'r0' }, { sample: 'r0' }],
    });
    await run({ on_unknown: 'resend' });
    expect(store.runs.report(held.id)).toMatchObject({
      calls: { planned: 8, answered: 8 },
      verdicts: { scored: 8, unscored: {} },
      attempts: { sent: 10, lost: 2, resent: 2 },
      unknown: [],
    });
  });

  it('are none in a run that heard all, whose cost is that of its tokens', async () => {
    await open();
    const whole = await run();
    const first = server.services.store.runs.report(whole.id);
    expect(first).toMatchObject({ unknown: [], cost: { in_doubt: 0, in_doubt_usd: 0 } });
    expect(first?.usage.input).toBeGreaterThan(0);
    expect(first?.cost.usd).toBeCloseTo(
      ((first?.usage.input ?? 0) + 4 * (first?.usage.output ?? 0)) / 1e6,
      12,
    );
  });
});

describe('the API', () => {
  it('starts a run under a budget, and shows what it came to once it has ended', async () => {
    await open();
    const client = server.as('ann');
    const json = { judge: 'polite@1', dataset: 'd', budget_usd: 1, on_unknown: 'hold' as const, limit: 2 };
    const started = await (await client.runs.$post({ json })).json();
    await server.services.runs.active(started.run)?.ended;
    const shown = await (await client.runs[':run'].$get({ param: { run: started.run } })).json();
    expect(shown).toMatchObject({
      state: 'done',
      limit: 2,
      budget_usd: 1,
      report: {
        calls: { planned: 4, answered: 4 },
        verdicts: { scored: 4, criteria: { clear: { scored: 2 } } },
      },
    });
    const refused = await client.runs.$post({ json: { ...json, budget_usd: 0 } });
    expect(refused.status).toBe(422);
  });
});
