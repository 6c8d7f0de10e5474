import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSimulator, type Simulator } from '../simulator/simulator.ts';
import { cli } from '../support/cli.ts';
import { TONE_JUDGE, TONE_RUBRIC } from '../support/tone.ts';
import { type TemporaryWorkspace, temporaryWorkspace } from '../support/workspace.ts';

const judge = (id: string, more = '') =>
  `judge: ${id}\nversion: 1\nrubric: tone@1\ncriteria: [polite]\nprovider: openai-compatible\nmodel: sim-judge-2026-01-01\nendpoint: ${id}\n${more}`;
const panel = (id: string, members: string, vote: string, more = '') =>
  `judge: ${id}\nversion: 1\nrubric: tone@1\ncriteria: [polite]\npanel: [${members}]\nvote: ${vote}\n${more}`;

/*
 * Three judges behind three endpoints: one says yes to everything, one no, and one tells the insults (every other
 * sample) from the rest, so that a panel of them says what it says.
 */
let simulators: Simulator[];
let workspace: TemporaryWorkspace;
beforeAll(async () => {
  simulators = await Promise.all([
    createSimulator({ truth: () => 'yes' }),
    createSimulator({ truth: () => 'no' }),
    createSimulator({ truth: ({ parts }) => (parts.get('OUTPUT')?.includes('stop asking') ? 'no' : 'yes') }),
  ]);
  const [kind, stern, fair] = simulators.map(({ origin }) => `{base_url: "${origin}/v1", simulated: true}`);
  workspace = temporaryWorkspace({
    'touchstone.yaml': `name: test\nendpoints:\n  kind: ${kind}\n  stern: ${stern}\n  fair: ${fair}\n`,
    'rubrics/tone/v1.yaml': TONE_RUBRIC,
    'judges/kind/v1.yaml': judge('kind'),
    'judges/stern/v1.yaml': judge('stern', 'family: other\n'),
    'judges/fair/v1.yaml': judge('fair', 'repeats: 3\n'),
    'judges/bench/v1.yaml': panel('bench', 'kind@1, stern@1, fair@1', 'majority'),
    'judges/strict/v1.yaml': panel('strict', 'kind@1, fair@1', 'unanimous'),
    'rows.jsonl': Array.from({ length: 8 }, (_, i) =>
      JSON.stringify({
        id: `r${i}`,
        input: `Order ${i} is late.`,
        output: `Order ${i} arrives tomorrow${i % 2 === 0 ? ', and stop asking' : ''}.`,
        polite: i % 2 === 0 ? 'no' : 'yes',
      }),
    ).join('\n'),
  });
  const imported = await cli(
    [
      'import',
      'rows.jsonl',
      '--dataset',
      'd',
      '--rubric',
      'tone@1',
      '--map',
      'label.ada=polite',
      '--criterion',
      'polite',
    ],
    workspace.root,
  );
  expect(imported.stderr).toBe('');
  expect(imported.code).toBe(0);
}, 60_000);
afterAll(async () => {
  await Promise.all(simulators.map((simulator) => simulator.close()));
  await workspace[Symbol.asyncDispose]();
});

const calls = () => simulators.map((simulator) => simulator.calls.length);
const stored = (judgeRef: string) => {
  const db = new Sqlite(workspace.path('.touchstone/touchstone.db'), { readonly: true });
  const rows = db
    .prepare<[string], Record<string, unknown>>(
      'SELECT v.outcome, v.value, v.reason, v.quotes, v.call, j.simulated FROM verdicts v JOIN judges j ON j.id = v.judge WHERE j.name = ? ORDER BY v.sample',
    )
    .all(judgeRef);
  db.close();
  return rows;
};

describe.sequential('a panel', () => {
  it('plans what its members would send, added up', async () => {
    const planned = await cli(
      ['judge', 'run', 'bench@1', '--dataset', 'd', '--dry-run', '--json'],
      workspace.root,
    );
    expect(planned.code).toBe(0);
    // the third asks three times
    expect(JSON.parse(planned.stdout)).toMatchObject({ samples: 8, calls: { planned: 40, to_send: 40 } });
    expect(calls()).toEqual([0, 0, 0]);
  });

  it('runs its members one after another and gives their majority, at no call of its own', async () => {
    const ended = await cli(['judge', 'run', 'bench@1', '--dataset', 'd'], workspace.root);
    expect(ended.code).toBe(0);
    expect(ended.stderr).toMatch(
      /the panel's members ran as kind@1 \(\S+\), stern@1 \(\S+\), fair@1 \(\S+\)\n$/,
    );
    expect(ended.stdout).toContain('bench@1 over d: done');
    expect(ended.stdout).toContain('0 of 0 calls answered\n  8 scored, 0 unscored\n  0 attempts sent');
    expect(calls()).toEqual([8, 8, 24]);
    const rows = stored('bench@1');
    expect(rows.map((row) => row.value)).toEqual(['no', 'yes', 'no', 'yes', 'no', 'yes', 'no', 'yes']);
    expect(rows[0]).toMatchObject({ call: null, simulated: 1 });
    expect(rows[0]?.reason).toMatch(/^majority of kind@1 yes, stern@1 no, fair@1 no\. /);
    expect(stored('kind@1')).toHaveLength(8);
  }, 60_000);

  it('reuses what its members answered for another panel, and says where it is split', async () => {
    const before = calls();
    const ended = await cli(['judge', 'run', 'strict@1', '--dataset', 'd'], workspace.root);
    expect(ended.stdout).toContain('4 scored, 4 unscored (4 abstained)\n  0 attempts sent');
    expect(calls()).toEqual(before);
    expect(stored('strict@1')[0]).toMatchObject({
      outcome: 'abstained',
      reason: 'the panel is split: kind@1 yes, fair@1 no',
    });
    await cli(['judge', 'run', 'strict@1', '--dataset', 'd'], workspace.root);
    expect(calls()).toEqual(before);
    expect(stored('strict@1')).toHaveLength(8);
  }, 60_000);

  it('stands on the agreement report with each member’s agreement, and repeats with how steady they are', async () => {
    const { stdout } = await cli(
      ['agreement', 'd', '--judge', 'bench@1', '--rubric', 'tone@1', '--json'],
      workspace.root,
    );
    const [report] = JSON.parse(stdout).reports;
    expect(report).toMatchObject({ judge: 'bench@1', simulated: true, n_scored: 8, repeats: null });
    expect(
      report.panel.map(({ judge, kappa }: { judge: string; kappa: { value: number; n: number } }) => [
        judge,
        kappa.value,
        kappa.n,
      ]),
    ).toEqual([
      ['kind@1', 0, 8],
      ['stern@1', 0, 8],
      ['fair@1', 1, 8],
    ]);
    const text = await cli(['agreement', 'd', '--judge', 'bench@1'], workspace.root);
    expect(text.stdout).toContain('fair@1 with the panel: kappa (unweighted) 1.00 [');
    const fair = await cli(['agreement', 'd', '--judge', 'fair@1'], workspace.root);
    expect(fair.stdout).toMatch(/repeats agree {6}100\.0 % \[67\.6 %, 100\.0 %\] n=8/);
  }, 60_000);

  it.each([
    ['calibrate without a label set', ['calibrate', 'bench@1'], 'calibrated'],
    ['calibrate', ['calibrate', 'bench@1', '--set', 'x@1', '--reason', 'to see'], 'calibrated'],
    ['attack', ['judge', 'attack', 'bench@1', '--dataset', 'd'], 'attacked'],
    ['export', ['export', 'bench@1'], 'exported'],
  ])('is refused by %s, which names its members', async (_, words, what) => {
    const ended = await cli(words, workspace.root);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain(`bench@1 is a panel, and a panel can't be ${what}`);
    expect(ended.stderr).toContain('kind@1, stern@1, fair@1');
  });

  it('gives no verdict where a member fails, and says which', async () => {
    workspace.write('judges/gone/v1.yaml', TONE_JUDGE.replace('polite', 'gone'));
    workspace.write('judges/broken/v1.yaml', panel('broken', 'kind@1, fair@1, gone@1', 'majority'));
    const ended = await cli(['judge', 'run', 'broken@1', '--dataset', 'd'], workspace.root);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('ANTHROPIC_API_KEY');
    expect(stored('broken@1')).toEqual([]);
  }, 60_000);
});

describe('a panel’s file', () => {
  const faults = async (text: string) => {
    await using other = temporaryWorkspace({
      'touchstone.yaml': 'name: test\nendpoints:\n  sim: {base_url: "http://127.0.0.1:9/v1"}\n',
      'rubrics/tone/v1.yaml': TONE_RUBRIC,
      'rubrics/tone/v2.yaml': TONE_RUBRIC.replace('version: 1', 'version: 2'),
      'judges/a/v1.yaml': judge('a').replace('endpoint: a', 'endpoint: sim'),
      'judges/b/v1.yaml': judge('b').replace('endpoint: b', 'endpoint: sim'),
      'judges/c/v1.yaml': judge('c').replace('endpoint: c', 'endpoint: sim').replace('tone@1', 'tone@2'),
      'judges/pair/v1.yaml': panel('pair', 'a@1, b@1', 'unanimous'),
      'judges/p/v1.yaml': text,
    });
    const { stdout, code } = await cli(['check'], other.root);
    return { stdout, code };
  };

  it.each([
    ['too few members', panel('p', 'a@1, b@1', 'majority'), '5:8', 'at least 3 members'],
    ['a member twice', panel('p', 'a@1, b@1, a@1', 'majority'), '5:19', 'a@1 has one vote'],
    ['a member that is not there', panel('p', 'a@1, b@1, d@1', 'majority'), '5:19', 'there is no judge d@1'],
    [
      'a member under another rubric',
      panel('p', 'a@1, b@1, c@1', 'majority'),
      '5:19',
      'c@1 judges by tone@2',
    ],
    ['a panel as member', panel('p', 'a@1, b@1, pair@1', 'majority'), '5:19', 'pair@1 is a panel itself'],
    ['itself as member', panel('p', 'a@1, b@1, p@1', 'majority'), '5:19', 'no member of itself'],
    [
      'no vote',
      panel('p', 'a@1, b@1', 'majority').replace('vote: majority\n', ''),
      '5:8',
      'says how it votes',
    ],
    ['a vote that is none', panel('p', 'a@1, b@1', 'loudest'), '6:7', 'majority'],
    [
      'a median without an order',
      panel('p', 'a@1, b@1', 'median').replace('b@1', 'b@1, pair@1'),
      '6:7',
      'needs an ordinal scale',
    ],
    ['a model', panel('p', 'a@1, b@1', 'unanimous', 'model: gpt-5\n'), '7:8', 'leave model out'],
    [
      'a provider',
      panel('p', 'a@1, b@1', 'unanimous', 'provider: openai\nmodel: gpt-5-2025-08-07\n'),
      '7:11',
      'leave provider and model out',
    ],
    [
      'members of a judge',
      `${judge('p').replace('endpoint: p', 'endpoint: sim')}vote: majority\n`,
      '8:7',
      'names its members',
    ],
  ])('with %s is refused at its place', async (_, text, place, says) => {
    const { stdout, code } = await faults(text);
    expect(stdout).toContain(`judges/p/v1.yaml:${place}`);
    expect(stdout).toContain(says);
    expect(code).toBe(2);
  });

  it('is warned of where all members are of one family', async () => {
    const { stdout, code } = await faults(panel('p', 'a@1, b@1', 'unanimous'));
    expect(code).toBe(0);
    expect(stdout).toContain('p@1: all members are of one family (openai-compatible)');
  });
});
