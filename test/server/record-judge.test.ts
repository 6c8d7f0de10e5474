import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../core/verdict.ts';
import { loadJudge } from '../../harness/workspace/judges.ts';
import { openWorkspace } from '../../harness/workspace/workspace.ts';
import { recordJudge } from '../../server/record-judge.ts';
import { createSimulator } from '../simulator/simulator.ts';
import { importExample, type TestServer, testServer } from '../support/server.ts';
import { exampleWorkspace } from '../support/workspace.ts';

const KEY = 'sk-canary-7f3a9b21c4d5e6f708192a3b4c5d6e7f';
const DATASET = 'refund-replies';

const judgeFile = (name: string, provider: string, endpoint: string, more = '') => `judge: ${name}
version: 1
rubric: refund-reply@1
criteria: [accuracy, approval]
provider: ${provider}
endpoint: ${endpoint}
model: sim-judge-2026-01-01
family: simulator
repeats: 2
${more}`;

async function judged({ services }: TestServer, judge: string, limit: number) {
  const run = await services.runs.start({ judge, dataset: DATASET, concurrency: 8, limit });
  return run.ended;
}

/** What stands of a judge: by sample, criterion and repeat. */
function verdictsOf({ services: { store, workspace } }: TestServer, judge: string): Record<string, Outcome> {
  const { hash, simulated } = loadJudge(workspace, judge);
  const row = store.verdicts.judge(judge, hash, simulated);
  const dataset = store.samples.dataset(DATASET).id;
  return Object.fromEntries(
    ['accuracy', 'approval'].flatMap((criterion) =>
      store.verdicts
        .standing(dataset, row.id, criterion)
        .map(({ seq, repeat, result }): [string, Outcome] => [`${seq} ${criterion} ${repeat}`, result]),
    ),
  );
}

describe('a recorded judge', () => {
  it('answers as the model did, without a key, a network or a cost', async () => {
    const simulator = await createSimulator({
      seed: 3,
      key: KEY,
      temper: { fabricatedQuotes: 0.4, refusals: 0.1, truncations: 0.1, invalid: 0.1, abstentions: 0.1 },
      // The first thing that each question gets to hear is that it comes too early, and with it the key.
      faults: ({ number }) =>
        number % 7 === 0 ? { kind: 'status', status: 503, message: `busy, ${KEY}` } : null,
    });
    await using example = exampleWorkspace();
    example.write(
      'touchstone.yaml',
      `name: test\nendpoints:\n  sim: {base_url: '${simulator.origin}/v1', api_key_env: SIM_API_KEY, simulated: true}\n`,
    );
    example.write('judges/live/v1.yaml', judgeFile('live', 'openai-compatible', 'sim'));
    const workspace = { ...example, ...openWorkspace(example.root) };
    const server = testServer(workspace, { SIM_API_KEY: KEY });
    await importExample(server, DATASET, 'refund-reply@1');

    const live = await judged(server, 'live@1', 20);
    const written = recordJudge(server.services, { judge: 'live@1', dataset: DATASET }, { SIM_API_KEY: KEY });
    await simulator.close();
    expect(written).toMatchObject({ file: 'recordings/live.jsonl', answered: 80, cut: 0, doubled: 0 });
    expect(written.unanswered).toBe(98 * 4 - 80);
    expect(written.replies).toBeGreaterThan(80);
    const text = readFileSync(example.path(written.file), 'utf8');
    expect(text).not.toContain(KEY);
    expect(JSON.parse(text.split('\n')[0] ?? '')).toMatchObject({ judge: 'live@1', simulated: true });

    example.write('judges/replay/v1.yaml', judgeFile('replay', 'recorded', 'live'));
    const replayed = await judged(server, 'replay@1', 20);
    expect(replayed).toMatchObject({
      scored: live.scored,
      unscored: live.unscored,
      cost_usd: 0,
      unpriced: 0,
    });
    const was = verdictsOf(server, 'live@1');
    expect(Object.keys(was)).toHaveLength(80);
    expect(verdictsOf(server, 'replay@1')).toEqual(was);
    const run = server.services.store.runs.list().find(({ judge }) => judge === 'replay@1');
    expect(run).toMatchObject({ simulated: true, answered: 80 });
    server.close();
  }, 60_000);

  it('says what a recording lacks, and guesses nothing', async () => {
    await using example = exampleWorkspace();
    const header = {
      recording: 'empty',
      judge: 'live@1',
      judge_hash: 'sha256:0',
      dataset: DATASET,
      provider: 'openai-compatible',
      model: 'sim-judge-2026-01-01',
      simulated: false,
      replies: 0,
      at: '2026-12-01T00:00:00.000Z',
    };
    example.write('recordings/empty.jsonl', `${JSON.stringify(header)}\n`);
    example.write('judges/replay/v1.yaml', judgeFile('replay', 'recorded', 'empty'));
    const server = testServer(example);
    await importExample(server, DATASET, 'refund-reply@1');
    const tally = await judged(server, 'replay@1', 1);
    expect(tally).toMatchObject({ scored: 0, unscored: { provider_error: 4 }, cost_usd: 0 });
    expect(Object.values(verdictsOf(server, 'replay@1'))[0]?.reason).toMatch(
      /^bad_request: recordings\/empty\.jsonl holds no reply to this request \(request, repeat, turn: sha256:[0-9a-f]{64} 1 0\); record live@1 again/,
    );
    server.close();
  });

  it('names a recording that is missing, and the line of one that is broken', async () => {
    await using example = exampleWorkspace();
    example.write('judges/replay/v1.yaml', judgeFile('replay', 'recorded', 'gone'));
    expect(() => loadJudge(example, 'replay@1')).toThrow('there is no recordings/gone.jsonl');
    example.write('recordings/gone.jsonl', '{"recording": "gone"\n');
    expect(() => loadJudge(example, 'replay@1')).toThrow('recordings/gone.jsonl:1:1 is not JSON');
  });

  it('can be made only of a judge that has answered', async () => {
    await using example = exampleWorkspace();
    const server = testServer(example);
    await importExample(server, DATASET, 'refund-reply@1');
    const record = (judge: string) => () => recordJudge(server.services, { judge, dataset: DATASET }, {});
    expect(record('length-accuracy@1')).toThrow('calls no model');
    expect(record('simulated-accuracy@1')).toThrow('has answered nothing of refund-replies');
    server.close();
  });
});
