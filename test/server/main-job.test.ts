import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { attack } from '../../server/attacking.ts';
import { cli } from '../support/cli.ts';
import { importExample, type TestServer, testServer } from '../support/server.ts';
import { exampleWorkspace, type TemporaryWorkspace } from '../support/workspace.ts';

/*
 * import → label → freeze → run a judge → agreement → calibrate → export → a suite uses the judge,
 * the steps of one test each, in order.
 */
const JUDGE = 'overlap-accuracy@1';
const where = { dataset: 'refund-replies', rubric: 'refund-reply@1' };

let workspace: TemporaryWorkspace;
let server: TestServer;
beforeAll(async () => {
  workspace = exampleWorkspace({ suites: true });
  server = testServer(workspace);
  await importExample(server, 'refund-replies', 'refund-reply@1');
});
afterAll(() => workspace[Symbol.asyncDispose]());

/** What this test's two people say: by what the sample's file was written to show, the second one stricter. */
function opinion(trait: string, strict: boolean): string {
  if (['accurate', 'injected_resisted', 'cold', 'over_long'].includes(trait)) return '3';
  return strict || ['wrong_amount', 'wrong_status', 'wrong_date', 'injected_obeyed'].includes(trait)
    ? '1'
    : '2';
}

async function label(annotator: string, count: number): Promise<void> {
  const client = server.as(annotator);
  const queue = await (await client.label.queue.$get({ query: where })).json();
  for (const { sample } of queue.items.slice(0, count)) {
    const trait = String(server.services.store.samples.find(sample)?.sample.origin.metadata.trait);
    const value = opinion(trait, annotator === 'bob');
    const event = {
      id: randomUUID(),
      sample,
      criterion: 'accuracy',
      what: { act: 'label' as const, value, unsure: false },
      evidence: [],
      note: '',
      ms: 900,
      base: 0,
      at: '2026-03-01T08:00:00.000Z',
      order: null,
    };
    const answer = await client.label.events.$post({
      query: { ...where, rubric_hash: queue.rubric_hash },
      json: { events: [event] },
    });
    expect((await answer.json()).acks[0]?.status).toBe('stored');
  }
}

async function runJudge(judge: string): Promise<string> {
  const client = server.as('ann');
  const started = await client.runs.$post({ json: { judge, dataset: where.dataset } });
  expect(started.status).toBe(200);
  const { run } = await started.json();
  for (;;) {
    const { state } = await (await client.runs[':run'].$get({ param: { run } })).json();
    if (state !== 'running') return state;
    await pause(20);
  }
}

describe.sequential('the main job', () => {
  it('a suite that requires the judge is ungraded before there is a calibration', async () => {
    const ended = await cli(['suite', 'run', 'refunds-judged', '--trials', '1', '--json'], workspace.root);
    expect(ended.code).toBe(3);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      decision: 'inconclusive',
      outcomes: { passed: 0, failed: 0, errored: 0 },
    });
  }, 60_000);

  it('a baseline judge asks for a frozen label set', async () => {
    const answer = await server.as('ann').runs.$post({ json: { judge: JUDGE, dataset: where.dataset } });
    expect(answer.status).toBe(409);
    expect(await answer.json()).toMatchObject({ code: 'no_label_set' });
  });

  it('two people label', async () => {
    await label('ann', 80);
    await label('bob', 60);
    const { datasets } = await (await server.as('ann').datasets.$get()).json();
    expect(datasets).toMatchObject([{ name: 'refund-replies', samples: 98, annotators: ['ann', 'bob'] }]);
  }, 60_000);

  it('what they settled on is frozen, split by group', async () => {
    const answer = await server.as('ann')['label-sets'].$post({
      json: { dataset: where.dataset, rubric: where.rubric, seed: 7, dev_share: 0.4, drawn: 'random' },
    });
    const { header, path } = await answer.json();
    expect(header.split.dev + header.split.test).toBeGreaterThan(60);
    const [, ...lines] = readFileSync(workspace.path(path), 'utf8').trim().split('\n');
    const splits = new Map<string, Set<string>>();
    for (const line of lines) {
      const { sample, split } = JSON.parse(line);
      const group = sample.origin.group ?? sample.content_hash;
      splits.set(group, (splits.get(group) ?? new Set()).add(split));
    }
    expect([...splits.values()].every((found) => found.size === 1)).toBe(true);
  });

  it('the judge runs, and dev shows its agreement with the ceiling beside it', async () => {
    expect(await runJudge(JUDGE)).toBe('done');
    const answer = await server
      .as('ann')
      .agreement.$get({ query: { ...where, criterion: 'accuracy', judge: JUDGE } });
    const report = await answer.json();
    expect(report).toMatchObject({ split: 'dev', scale: 'ordinal', looks_at_test: 0, simulated: false });
    expect(report.n_scored).toBe(report.n_gold);
    expect(report.agreement.kappa.ci).not.toBeNull();
    // samples on which people differ and settle nothing stay in the ceiling, though they have no gold
    expect(report.no_gold).toBeGreaterThan(0);
    expect(report.humans.mean_kappa).toBeGreaterThan(0);
    expect(report.humans.mean_kappa).toBeLessThan(1);
  });

  it('test stays sealed until someone says why, and each look counts', async () => {
    const client = server.as('ann');
    const subject = { ...where, criterion: 'accuracy', judge: JUDGE };
    expect((await client.agreement.look.$post({ json: { ...subject, reason: '' } })).status).toBe(422);
    const first = await (
      await client.agreement.look.$post({ json: { ...subject, reason: 'curious' } })
    ).json();
    expect(first).toMatchObject({ split: 'test', looks_at_test: 1 });
    const dev = await (await client.agreement.$get({ query: subject })).json();
    expect(dev.looks_at_test).toBe(1);
  });

  it('a calibration is refused while verdicts are missing, and by a rule that is not met', async () => {
    const client = server.as('ann');
    const wanted = { judge: 'length-accuracy@1', label_set: 'refund-replies@1', by: 'ann', reason: 'trying' };
    const draft = await (await client.calibrations.draft.$post({ json: wanted })).json();
    expect(draft.refusals.join()).toContain('have no verdict yet');
    const rule = { kappa_low_at_least: 0.99, unscored_at_most: 0.05 };
    const measured = { ...wanted, judge: JUDGE };
    await client.calibrations.draft.$post({ json: measured });
    const refused = await client.calibrations.$post({
      json: { ...measured, rule, note: '', expires: '2027-01-01' },
    });
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({
      code: 'not_acceptable',
      details: [expect.stringContaining('the rule asks for 0.99')],
    });
    expect(existsSync(workspace.path('judges/overlap-accuracy/v1.calibration.yaml'))).toBe(false);
  });

  it('a rule on attacks asks for the attack pack, and then for what it came to', async () => {
    const client = server.as('ann');
    const wanted = { judge: JUDGE, label_set: 'refund-replies@1', by: 'ann', reason: 'trying' };
    const rule = { unscored_at_most: 0.05, attack_high_at_most: 0.001 };
    const refused = async () => {
      const json = { ...wanted, rule, note: '', expires: '2027-01-01' };
      const answer = await client.calibrations.$post({ json });
      expect(answer.status).toBe(409);
      return JSON.stringify(await answer.json());
    };
    expect(await refused()).toContain('it was not run on this judge version');
    const { store, now } = server.services;
    let ids = 0;
    const report = await attack(
      { workspace, store, env: {}, now, newId: () => `attack_${++ids}`, random: () => 0.5 },
      {
        judge: JUDGE,
        dataset: where.dataset,
        seed: 7,
        count: 10,
        signal: new AbortController().signal,
        cutoff: new AbortController().signal,
        onEvent: () => {},
      },
    );
    // it counts words that also stand in the context: an answer of the context's own words has it fooled
    expect(report?.criteria.accuracy?.success.value).toBeGreaterThan(0);
    expect(await refused()).toContain('of attacks may succeed, the rule allows 0.1 %');
    const { judges } = await (await client.judges.$get()).json();
    const view = judges.find(({ ref }) => ref === JUDGE);
    expect(view?.attack_pack).toEqual(report?.criteria);
    const shown = await (
      await client.agreement.$get({ query: { ...where, criterion: 'accuracy', judge: JUDGE } })
    ).json();
    expect(shown.attack_pack).toEqual(report?.criteria.accuracy);
  }, 60_000);

  it('a person accepts, and the file is whole', async () => {
    const json = {
      judge: JUDGE,
      label_set: 'refund-replies@1',
      by: 'ann',
      reason: 'first calibration',
      rule: { kappa_low_at_least: null, unscored_at_most: 0.05 },
      note: 'a null model, for the tour',
      expires: '2099-01-01',
    };
    const { path, calibration } = await (await server.as('ann').calibrations.$post({ json })).json();
    expect(path).toBe('judges/overlap-accuracy/v1.calibration.yaml');
    const file = parse(readFileSync(workspace.path(path), 'utf8'));
    expect(file).toMatchObject({
      hash: calibration.hash,
      looks_at_test: 3,
      accepted: { by: 'ann' },
      simulated: false,
    });
    expect(file.baseline_fit.criteria.accuracy.rule).toBe('cuts');
    expect(file.measured.accuracy.bias.attack_pack).toMatchObject({ pack: 1, samples: 10 });
    server.close();
  });

  it('export shows it, and the suite that was ungraded is graded', async () => {
    const shown = await cli(['export', JUDGE], workspace.root);
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain('- {judge: overlap-accuracy@1, on: reply, required: true}');
    const ended = await cli(['suite', 'run', 'refunds-judged', '--trials', '1', '--json'], workspace.root);
    const report = JSON.parse(ended.stdout);
    expect(report.outcomes.ungraded).toBe(0);
    expect(report.judges).toMatchObject([{ judge: JUDGE, calibration: 'valid' }]);
    expect([0, 1]).toContain(ended.code);
  }, 60_000);

  it('an edited calibration is refused: ungraded again, exit 3', async () => {
    const path = 'judges/overlap-accuracy/v1.calibration.yaml';
    workspace.write(path, readFileSync(workspace.path(path), 'utf8').replace('by: ann', 'by: eve'));
    const ended = await cli(['suite', 'run', 'refunds-judged', '--trials', '1', '--json'], workspace.root);
    expect(ended.code).toBe(3);
    expect(ended.stdout).toContain('the file was edited');
    expect((await cli(['export', JUDGE], workspace.root)).code).toBe(3);
  }, 60_000);

  it('a judge that changed after it was published is refused', async () => {
    const path = 'judges/overlap-accuracy/v1.yaml';
    workspace.write(
      path,
      `${readFileSync(workspace.path(path), 'utf8')}repeats: 2
`,
    );
    const ended = await cli(['check'], workspace.root);
    expect(ended.code).toBe(2);
    expect(ended.stdout).toContain('was changed after overlap-accuracy@1 was published');
    expect(ended.stdout).toContain('judges/overlap-accuracy/v2.yaml');
  }, 60_000);
});
