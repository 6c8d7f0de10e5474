import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { identify } from '../../core/sample.ts';
import { planJudge, planSample } from '../../harness/judge/plan.ts';
import { loadJudge } from '../../harness/workspace/judges.ts';
import { createSimulator, type SimulatorOptions } from '../simulator/simulator.ts';
import { importExample, testServer } from '../support/server.ts';
import { exampleWorkspace } from '../support/workspace.ts';

const JUDGE = 'simulated-accuracy@1';
const DATASET = 'refund-replies';

/** The example, judged by a simulator that misbehaves as told. */
async function judged(options: SimulatorOptions = {}) {
  const simulator = await createSimulator(options);
  const workspace = exampleWorkspace({ simulator: simulator.origin });
  const server = testServer(workspace);
  await importExample(server, DATASET, 'refund-reply@1');
  const { store, runs } = server.services;
  const [row] = store.samples.page(store.samples.dataset(DATASET).id, { after: 0, limit: 1, query: '' });
  if (row === undefined) throw new Error('the example has no sample');
  const run = async () =>
    (await runs.start({ judge: JUDGE, dataset: DATASET, limit: 1, concurrency: 1 })).ended;
  return {
    ...server,
    simulator,
    workspace,
    row,
    run,
    latest: () => store.verdicts.ofSample(row.seq)[0]?.id ?? 0,
    [Symbol.asyncDispose]: async () => {
      server.close();
      await simulator.close();
      await workspace[Symbol.asyncDispose]();
    },
  };
}

async function story(server: Awaited<ReturnType<typeof judged>>, id = server.latest()) {
  const answer = await server.as('ada').verdicts[':verdict'].$get({ param: { verdict: String(id) } });
  return answer.json();
}

const UNSUPPORTED = JSON.stringify({
  evidence: [{ field: 'output', quote: 'words that stand in no text at all' }],
  reason: 'made up',
  value: '3',
});

test('a verdict’s story tells every sending in order: refused, answered with a quote that is not there, asked again', async () => {
  await using server = await judged({
    faults: ({ number }) =>
      number === 1
        ? { kind: 'status', status: 429, message: 'slow down' }
        : number === 2
          ? { kind: 'answer', text: UNSUPPORTED }
          : null,
  });
  await server.run();
  const told = await story(server);
  expect(told.attempts.map(({ why, final }) => [why, final])).toEqual([
    ['first', false],
    ['sent_again', false],
    ['asked_again', true],
  ]);
  expect(told.attempts[0]?.receipt?.raw).toContain('slow down');
  expect(told.attempts[1]?.receipt?.raw).toContain('words that stand in no text at all');
  expect(told.attempts.map(({ verdicts }) => verdicts.map(({ id }) => id))).toEqual([[], [], [told.id]]);
  expect(told.attempts[2]?.receipt).toMatchObject({
    request_id: 'req_3',
    served_model: 'sim-judge-2026-01-01',
  });
  expect([told.stands, told.simulated, told.sample.id]).toEqual([told.id, true, server.row.sample.id]);
});

test('the request is rendered again as it was sent, its mark excepted', async () => {
  await using server = await judged();
  await server.run();
  const { request } = await story(server);
  if (request.shown !== 'rebuilt') throw new Error(request.why);
  const sent = server.simulator.calls[0]?.request;
  const nonce = /\[BEGIN INPUT ([0-9a-f]{16})\]/.exec(sent?.messages[0]?.text ?? '')?.[1] ?? '';
  expect(nonce).toHaveLength(16);
  expect(request.system).toBe(sent?.system);
  expect(request.user).toBe(sent?.messages[0]?.text.replaceAll(nonce, request.mark));
  expect(request.output.mode).toBe('structured');
});

test('an answer that is none was shown to no model, and the story says so', async () => {
  await using server = await judged();
  const { store, runs } = server.services;
  const sample = identify({ kind: 'single', input: 'Where is my refund?', output: '' }, { metadata: {} });
  const { seq } = store.write(() => {
    const { id } = store.samples.ensureDataset('empty', 'refund-reply@1', '2026-01-01T00:00:00.000Z');
    return store.samples.insert(id, sample);
  });
  await (await runs.start({ judge: JUDGE, dataset: 'empty' })).ended;
  const told = await story(server, store.verdicts.ofSample(seq)[0]?.id);
  expect(server.simulator.calls).toEqual([]);
  expect([told.result.outcome, told.attempts.map(({ why }) => why), told.request]).toEqual([
    'trivial',
    ['not_sent'],
    { shown: 'none', why: 'No model was asked: the answer is none.' },
  ]);
});

test('a call that was sent and never heard of stands in the story before the one that was', async () => {
  await using server = await judged();
  const { store, workspace } = server.services;
  const loaded = loadJudge(workspace, JUDGE);
  const [call] = planSample(planJudge(loaded), server.row.sample);
  if (call === undefined) throw new Error('the judge plans no call');
  const at = '2026-01-01T00:00:00.000Z';
  await store.runs.startRun({
    id: 'killed',
    judge: JUDGE,
    judge_hash: loaded.hash,
    dataset: DATASET,
    planned: 1,
    concurrency: 1,
    simulated: true,
    limit: 1,
    budget_usd: null,
    at,
  });
  const attempt = { turn: 1, max_output_tokens: 800, ceiling_usd: null };
  await store.runs.intend('killed', call.planned, attempt, at);
  store.runs.closeOrphans(at);
  await server.run();
  const told = await story(server);
  expect(told.attempts.map(({ why, run, receipt }) => [why, run, receipt === null])).toEqual([
    ['first', 'killed', true],
    ['unheard', 'killed', false],
  ]);
});

test('what was sent is not shown for a judge whose text has changed, and both hashes are told', async () => {
  await using server = await judged();
  await server.run();
  const before = loadJudge(server.workspace, JUDGE).hash;
  const path = 'judges/simulated-accuracy/v1.yaml';
  const text = readFileSync(server.workspace.path(path), 'utf8');
  server.workspace.write(path, text.replace('max_output_tokens: 800', 'max_output_tokens: 900'));
  const { request, judge_hash } = await story(server);
  const after = loadJudge(server.workspace, JUDGE).hash;
  expect(judge_hash).toBe(before);
  expect(request).toEqual({
    shown: 'none',
    why: `${JUDGE} was ${before} then and is ${after} now: its file, rubric, prompt or few-shots changed, so that the request can’t be rendered again.`,
  });
});

test('a later verdict is named where it stands in this one’s place', async () => {
  await using server = await judged({
    faults: ({ number }) => (number === 1 ? { kind: 'status', status: 400, message: 'no' } : null),
  });
  await server.run();
  const failed = server.latest();
  await server.run();
  const told = await story(server, failed);
  expect([told.result.outcome, told.stands]).toEqual(['provider_error', server.latest()]);
  expect(told.attempts.map(({ why }) => why)).toEqual(['first', 'resumed']);
});

test('where a verdict stands is told blind; its story is a look that the store remembers', async () => {
  await using server = await judged();
  await server.run();
  const param = { verdict: String(server.latest()) };
  const place = async () => (await server.as('ada').verdicts[':verdict'].place.$get({ param })).json();
  expect(await place()).toEqual({ dataset: DATASET, sample: server.row.sample.id, seen: false });
  await story(server);
  expect(await place()).toMatchObject({ seen: true });
  expect(server.services.store.labels.revealed(server.row.seq, ['ada'])).toBe(true);
  expect(server.services.store.labels.revealed(server.row.seq, ['bob'])).toBe(false);
});

test('a verdict that does not exist is told with the way out', async () => {
  await using server = await judged();
  const answer = await server.as('ada').verdicts[':verdict'].$get({ param: { verdict: '999' } });
  expect([answer.status, await answer.json()]).toEqual([
    404,
    {
      code: 'no_verdict',
      message: 'there is no verdict 999',
      remedy: 'Find it on the Samples page, with its sample.',
    },
  ]);
});
