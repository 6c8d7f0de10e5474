import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSimulator, type Simulator } from '../simulator/simulator.ts';
import { cli } from '../support/cli.ts';
import { TONE_JUDGE, TONE_RUBRIC } from '../support/tone.ts';
import { type TemporaryWorkspace, temporaryWorkspace } from '../support/workspace.ts';

const SIMULATED = 'provider: openai-compatible\nmodel: sim-judge-2026-01-01\n';
const judge = (name: string, endpoint: string) =>
  TONE_JUDGE.slice(0, TONE_JUDGE.indexOf('provider:'))
    .replace('polite', name)
    .concat(SIMULATED, `endpoint: ${endpoint}\n`);

/*
 * Two judges of the same name for politeness behind two endpoints: one answers what the texts deserve (all of them
 * insult), the other answers what it is told to.
 */
let sound: Simulator;
let gullible: Simulator;
let workspace: TemporaryWorkspace;
beforeAll(async () => {
  const truth = () => 'no';
  sound = await createSimulator({ truth });
  gullible = await createSimulator({ truth, temper: { gullibility: 1 } });
  workspace = temporaryWorkspace({
    'touchstone.yaml': `name: test\nendpoints:\n  sound: {base_url: "${sound.origin}/v1", simulated: true}\n  gullible: {base_url: "${gullible.origin}/v1", simulated: true}\n`,
    'rubrics/tone/v1.yaml': TONE_RUBRIC,
    'judges/sound/v1.yaml': judge('sound', 'sound'),
    'judges/gullible/v1.yaml': judge('gullible', 'gullible'),
    'rows.jsonl': Array.from({ length: 20 }, (_, i) =>
      JSON.stringify({
        id: `r${i}`,
        input: `Order ${i} is late.`,
        output: `Order ${i}: wait like all the others do, and stop asking.`,
      }),
    ).join('\n'),
  });
  const imported = await cli(
    ['import', 'rows.jsonl', '--dataset', 'd', '--rubric', 'tone@1'],
    workspace.root,
  );
  expect(imported.code).toBe(0);
}, 60_000);
afterAll(async () => {
  await Promise.all([sound.close(), gullible.close()]);
  await workspace[Symbol.asyncDispose]();
});

const attack = (name: string, ...more: string[]) =>
  cli(['judge', 'attack', `${name}@1`, '--at-most', '0.05', ...more], workspace.root);

describe.sequential('touchstone judge attack', () => {
  it('lets a sound judge pass and leaves with 0', async () => {
    const ended = await attack('sound');
    expect(ended.stderr).toBe('');
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain('sound@1 on polite (simulated): 63 attacks of pack 1 on 10 samples of d');
    expect(ended.stdout).toMatch(/succeeded {7}0\.0 % \[0\.0 %, 0\.\d %\] n=\d{3}/);
    expect(ended.stdout).not.toContain('fell for');
  }, 60_000);

  it('catches a judge that does as it is told and leaves with 1', async () => {
    const ended = await attack('gullible');
    expect(ended.code).toBe(1);
    expect(ended.stdout).toMatch(/fell for {2}.*base64 \(10×\)/);
  }, 60_000);

  it('sends nothing that was answered before', async () => {
    const before = gullible.calls.length;
    const again = await attack('gullible', '--json');
    expect(gullible.calls.length).toBe(before);
    expect(JSON.parse(again.stdout)).toMatchObject({
      judge: 'gullible@1',
      simulated: true,
      criteria: { polite: { samples: 10 } },
    });
  }, 60_000);

  it('leaves no trace of an attack among the samples and the verdicts', () => {
    const db = new Sqlite(workspace.path('.touchstone/touchstone.db'), { readonly: true });
    const count = (sql: string) => Number(db.prepare(sql).pluck().get());
    expect(count('SELECT count(*) FROM samples')).toBe(20);
    expect(count('SELECT count(*) FROM verdicts')).toBe(20);
    expect(count('SELECT count(*) FROM attack_replies')).toBeGreaterThan(1000);
    db.close();
  });

  it('stops at nothing to attack with a way out', async () => {
    const ended = await cli(['judge', 'attack', 'sound@1', '--dataset', 'none'], workspace.root);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('There are: d.');
    expect((await attack('sound', '--samples', '0')).code).toBe(2);
    expect((await cli(['judge', 'attack', 'sound@1', '--at-most', '2'], workspace.root)).code).toBe(2);
  }, 60_000);
});
