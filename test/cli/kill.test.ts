import { setTimeout as pause } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { mersenne } from 'pure-rand/generator/mersenne';
import { describe, expect, it } from 'vitest';
import { createSimulator } from '../simulator/simulator.ts';
import { cli, startCli } from '../support/cli.ts';
import { TONE_JUDGE, TONE_RUBRIC } from '../support/tone.ts';
import { temporaryWorkspace } from '../support/workspace.ts';

const SAMPLES = 1500;
const KILLS = 10;
const CONCURRENCY = 64;

const SIMULATED = 'provider: openai-compatible\nendpoint: sim\nmodel: sim-judge-2026-01-01\n';
const JUDGE = TONE_JUDGE.slice(0, TONE_JUDGE.indexOf('provider:')) + SIMULATED;

interface Books {
  /** Intents that have no reply: in flight when the process died. */
  unheard: number;
  final: number;
  verdicts: number;
  integrity: unknown;
}

function readBooks(path: string): Books {
  const db = new Sqlite(path, { readonly: true });
  const count = (sql: string) => Number(db.prepare(sql).pluck().get());
  const books = {
    unheard: count(
      'SELECT count(*) FROM calls LEFT JOIN replies ON replies.call = calls.id WHERE replies.call IS NULL',
    ),
    final: count(
      'SELECT count(DISTINCT calls.key) FROM calls JOIN replies ON replies.call = calls.id WHERE replies.final = 1',
    ),
    verdicts: count('SELECT count(*) FROM verdicts'),
    integrity: db.pragma('integrity_check', { simple: true }),
  };
  db.close();
  return books;
}

describe('a run that is killed', () => {
  it(`at ${KILLS} random points ends with each verdict once and repeats only what was in flight`, async () => {
    await using simulator = await createSimulator({ seed: 3, latencyMs: 30 });
    const endpoint = `name: test\nendpoints:\n  sim: {base_url: "${simulator.origin}/v1", simulated: true}\n`;
    const rows = Array.from({ length: SAMPLES }, (_, i) =>
      JSON.stringify({
        id: `r${i}`,
        input: `Order ${i} is late.`,
        output: `Hello, order ${i} arrives tomorrow, and we are sorry for the delay.`,
      }),
    );
    await using workspace = temporaryWorkspace({
      'touchstone.yaml': endpoint,
      'rubrics/tone/v1.yaml': TONE_RUBRIC,
      'judges/polite/v1.yaml': JUDGE,
      'rows.jsonl': rows.join('\n'),
    });
    expect(
      (await cli(['import', 'rows.jsonl', '--dataset', 'd', '--rubric', 'tone@1'], workspace.root)).code,
    ).toBe(0);
    const db = workspace.path('.touchstone/touchstone.db');
    const run = ['judge', 'run', 'polite@1', '--dataset', 'd', '--concurrency', String(CONCURRENCY)];
    const random = mersenne(11);
    let [inFlight, before] = [0, 0];
    for (let kill = 0; kill < KILLS; kill++) {
      const { child, ended } = startCli(run, workspace.root);
      const at = simulator.calls.length + 20 + ((random.next() >>> 0) % 110);
      while (simulator.calls.length < at && child.exitCode === null) await pause(2);
      child.kill('SIGKILL');
      expect((await ended).signal).toBe('SIGKILL');
      const books = readBooks(db);
      expect(books.integrity).toBe('ok');
      expect(books.unheard - before).toBeLessThanOrEqual(CONCURRENCY);
      inFlight += books.unheard - before;
      before = books.unheard;
    }
    const last = await cli(run, workspace.root);
    expect(last.code).toBe(0);
    const books = readBooks(db);
    const sent = simulator.calls.filter(({ billed }) => billed).length;
    expect(books.final).toBe(SAMPLES);
    expect(books.verdicts).toBe(SAMPLES);
    expect(sent).toBeGreaterThanOrEqual(SAMPLES);
    expect(sent).toBeLessThanOrEqual(SAMPLES + inFlight);
    expect(books.unheard).toBeLessThanOrEqual(inFlight);
    const again = await cli(run, workspace.root);
    expect(again.stdout).toContain(`${SAMPLES} answered before`);
    expect(simulator.calls.filter(({ billed }) => billed).length).toBe(sent);
  }, 300_000);
});
