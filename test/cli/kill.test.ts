import { setTimeout as pause } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { mersenne } from 'pure-rand/generator/mersenne';
import { describe, expect, it } from 'vitest';
import { workersOf } from '../../harness/provider/flow.ts';
import { createDraw } from '../simulator/draw.ts';
import type { Fault } from '../simulator/fault.ts';
import { createSimulator, type SimulatedCall } from '../simulator/simulator.ts';
import { cli, startCli } from '../support/cli.ts';
import { TONE_JUDGE, TONE_RUBRIC } from '../support/tone.ts';
import { temporaryWorkspace } from '../support/workspace.ts';

const SAMPLES = Number(process.env.KILL_SAMPLES ?? 600);
const KILLS = Number(process.env.KILL_KILLS ?? 5);
const CONCURRENCY = 64;

const SIMULATED = 'provider: openai-compatible\nendpoint: sim\nmodel: sim-judge-2026-01-01\n';
const JUDGE = TONE_JUDGE.slice(0, TONE_JUDGE.indexOf('provider:')) + SIMULATED;

/** Wire and answer faults for one call in twenty; which, and how often, depends on the sample alone. */
function createFaults(): (call: SimulatedCall) => Fault | null {
  const draw = createDraw(17);
  const tries = new Map<string, number>();
  const passing: Fault[] = [
    { kind: 'status', status: 500 },
    { kind: 'status', status: 503 },
    { kind: 'status', status: 429, headers: { 'retry-after': '0' } },
    { kind: 'reset' },
    { kind: 'cut' },
  ];
  const lasting: Fault[] = [
    { kind: 'answer', finish: 'refusal' },
    { kind: 'answer', text: 'I would say that it is fine.' },
  ];
  return ({ body }) => {
    const sample = sampleOf(body);
    const tried = tries.get(sample) ?? 0;
    tries.set(sample, tried + 1);
    if (draw('faulty', sample) >= 0.05) return null;
    const kinds = [...passing, ...lasting];
    const fault = kinds[Math.floor(draw('fault', sample) * kinds.length)] ?? null;
    return fault === null || (tried > 0 && passing.includes(fault)) ? null : fault;
  };
}

/** The sample that a request is about. */
function sampleOf(body: unknown): string {
  return /Order (\d+) is late/.exec(JSON.stringify(body))?.[1] ?? 'none';
}

function countBy(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

interface Row {
  key: string;
  sample: string;
  final: number | null;
  lost: number | null;
  cost: number | null;
}

/** Every attempt as the ledger has it. */
function readLedger(path: string): { rows: Row[]; verdicts: number; integrity: unknown } {
  const db = new Sqlite(path, { readonly: true });
  const rows = db
    .prepare<[], Row>(
      `SELECT key, substr(external, 2) AS sample, final, lost, cost_usd AS cost FROM calls
       JOIN samples ON samples.seq = calls.sample LEFT JOIN replies ON replies.call = calls.id`,
    )
    .all();
  const verdicts = Number(db.prepare('SELECT count(DISTINCT sample) FROM verdicts').pluck().get());
  const integrity = db.pragma('integrity_check', { simple: true });
  db.close();
  return { rows, verdicts, integrity };
}

async function scene() {
  const simulator = await createSimulator({ seed: 3, latencyMs: 2, faults: createFaults() });
  const rows = Array.from({ length: SAMPLES }, (_, i) =>
    JSON.stringify({
      id: `r${i}`,
      input: `Order ${i} is late.`,
      output: `Hello, order ${i} arrives tomorrow, and we are sorry for the delay.`,
    }),
  );
  const workspace = temporaryWorkspace({
    'touchstone.yaml': `name: test
endpoints:
  sim: {base_url: "${simulator.origin}/v1", simulated: true}
prices:
  - {provider: openai-compatible, model: sim-judge-2026-01-01, input: 1, output: 4}
`,
    'rubrics/tone/v1.yaml': TONE_RUBRIC,
    'judges/polite/v1.yaml': JUDGE,
    'rows.jsonl': rows.join('\n'),
  });
  const imported = await cli(
    ['import', 'rows.jsonl', '--dataset', 'd', '--rubric', 'tone@1'],
    workspace.root,
  );
  expect(imported.code).toBe(0);
  return {
    simulator,
    workspace,
    db: workspace.path('.touchstone/touchstone.db'),
    [Symbol.asyncDispose]: async () => {
      await simulator.close();
      await workspace[Symbol.asyncDispose]();
    },
  };
}

const RUN = ['judge', 'run', 'polite@1', '--dataset', 'd', '--concurrency', String(CONCURRENCY), '--json'];

/** Runs until every call is answered. @returns the last report, without what a kill may change. */
async function runToTheEnd(root: string) {
  for (;;) {
    const { stdout, code, stderr } = await cli(RUN, root);
    expect(code, stderr).toBe(0);
    const { run: _, ...report } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
    if (report.unknown.length === 0 && report.calls.answered === SAMPLES) return report;
  }
}

describe('a run that is killed', () => {
  it(`at ${KILLS} seeded points, through faults of every kind, loses nothing, owns every doubled call and ends with the report of a run that was not`, async () => {
    await using quiet = await scene();
    const undisturbed = await runToTheEnd(quiet.workspace.root);
    await using disturbed = await scene();
    const { simulator, workspace, db } = disturbed;
    const random = mersenne(11);
    const stride = Math.floor(SAMPLES / (KILLS + 2));
    for (let kill = 0; kill < KILLS; kill++) {
      const { child, ended } = startCli(RUN, workspace.root);
      const at = simulator.calls.length + 20 + ((random.next() >>> 0) % stride);
      while (simulator.calls.length < at && child.exitCode === null) await pause(2);
      child.kill('SIGKILL');
      expect((await ended).signal).toBe('SIGKILL');
      const { integrity, rows } = readLedger(db);
      expect(integrity).toBe('ok');
      // nothing reaches the provider that the ledger does not know of
      expect(rows.length).toBeGreaterThanOrEqual(simulator.calls.length);
    }
    const report = await runToTheEnd(workspace.root);
    const { rows, verdicts } = readLedger(db);
    expect(verdicts).toBe(SAMPLES);
    expect(rows.filter(({ final }) => final === 1)).toHaveLength(SAMPLES);
    const { attempts, cost, ...rest } = report;
    const { attempts: attemptsThere, cost: costThere, ...restThere } = undisturbed;
    expect(rest).toEqual(restThere);
    expect(cost.usd).toBeCloseTo(costThere.usd, 9);
    // what the kills doubled is in the ledger as such: no sample was billed more often than its attempts say
    const billed = countBy(simulator.calls.flatMap((call) => (call.billed ? [sampleOf(call.body)] : [])));
    const owned = countBy(
      rows.flatMap(({ final, lost, cost: paid, sample }) =>
        final === 1 || lost !== 0 || (paid ?? 0) > 0 ? [sample] : [],
      ),
    );
    for (const [sample, times] of billed)
      expect(owned.get(sample) ?? 0, sample).toBeGreaterThanOrEqual(times);
    const doubled = simulator.calls.filter((call) => call.billed).length - SAMPLES;
    expect(attempts.resent).toBeGreaterThanOrEqual(doubled);
    // an intent is written a little before its call may be sent
    expect(attempts.lost).toBeLessThanOrEqual(attemptsThere.lost + KILLS * workersOf(CONCURRENCY));
    expect(attempts.sent).toBe(rows.length);
    const calls = simulator.calls.length;
    expect((await runToTheEnd(workspace.root)).calls).toEqual({
      planned: SAMPLES,
      answered: SAMPLES,
      reused: SAMPLES,
    });
    expect(simulator.calls).toHaveLength(calls);
    const line = `${SAMPLES} samples, ${KILLS} kills: ${calls} calls, ${doubled} billed again, ${attempts.resent} flagged, ${attempts.lost} lost`;
    if (process.env.KILL_SAMPLES !== undefined) console.log(line);
  }, 900_000);
});
