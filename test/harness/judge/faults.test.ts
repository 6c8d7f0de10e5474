import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../../core/verdict.ts';
import { WorkspaceConfig } from '../../../core/workspace.ts';
import { openStore } from '../../../server/db/store.ts';
import type { Fault } from '../../simulator/fault.ts';
import { CANARY } from '../provider/open-test-provider.ts';
import { samples } from './fixture.ts';
import { runScene } from './run-on-simulator.ts';

const SAMPLES = 4;
const STRUCK = 2;
const ECHO = `no, ${CANARY}`;
const status = (code: number, more: object = {}): Fault => ({
  kind: 'status',
  status: code,
  message: ECHO,
  ...more,
});
const body = (text: string): Fault => ({ kind: 'body', body: text });
const answer = (more: object): Fault => ({ kind: 'answer', ...more });

type Row = [what: string, fault: Fault, outcome: Outcome['outcome'], sendings: number];

/** Each strikes one sample of four, whenever it is asked about; `sendings` are those of the struck sample. */
const FAULTS: Row[] = [
  ['a timeout of the request (408)', status(408), 'provider_error', 2],
  ['a conflict (409)', status(409), 'provider_error', 2],
  ['a request that is not taken (422)', status(422), 'provider_error', 1],
  ['a prompt that is too large (413)', status(413), 'truncated', 1],
  ['a context that is too short (400)', status(400, { code: 'context_length_exceeded' }), 'truncated', 1],
  ['an internal error (500)', status(500), 'provider_error', 4],
  ['a server that is away (503)', status(503), 'provider_error', 4],
  ['a gateway that is tired (504)', status(504), 'provider_error', 4],
  ['a page of a gateway (502)', { ...body(`<html>${ECHO}`), status: 502 } as Fault, 'provider_error', 4],
  ['a connection that is reset', { kind: 'reset' }, 'unknown', 1],
  ['a body that is cut', { kind: 'cut' }, 'unknown', 1],
  ['a body that never comes', { kind: 'stall' }, 'unknown', 1],
  ['a body byte by byte', { kind: 'drip', everyMs: 40 }, 'unknown', 1],
  ['an answer after the deadline', { kind: 'late', ms: 800 }, 'unknown', 1],
  ['an empty body', body(''), 'provider_error', 1],
  ['a page in a 200', body(`<html>${ECHO}`), 'provider_error', 1],
  ['an error in a 200', body(JSON.stringify({ error: { message: ECHO } })), 'provider_error', 1],
  ['a list', body('[]'), 'provider_error', 1],
  ['no choices', body('{"choices":[]}'), 'provider_error', 1],
  ['JSON that ends in the middle', body('{"choices":[{"mess'), 'provider_error', 1],
  ['a redirect', { kind: 'redirect', to: 'http://127.0.0.1:1/' }, 'provider_error', 1],
  ['a reply cut off at the limit', answer({ finish: 'length' }), 'truncated', 2],
  ['a reply cut off before a word', answer({ finish: 'length', text: '' }), 'truncated', 2],
  ['a filter', answer({ finish: 'filter' }), 'filtered', 1],
  ['a refusal', answer({ finish: 'refusal', text: ECHO }), 'refused', 1],
  ['an unknown finish', answer({ finish: 'other' }), 'invalid', 1],
  ['prose', answer({ text: ECHO }), 'invalid', 1],
];

/** Runs a judge over a real database with one sample struck. */
async function strike(fault: Fault) {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-faults-'));
  const now = () => '2026-11-30T12:00:00.000Z';
  const config = WorkspaceConfig.parse({ name: 'faults' });
  const store = openStore({ root: folder, config }, { now, command: 'test' });
  try {
    const dataset = samples(SAMPLES);
    const { id } = store.samples.ensureDataset('replies', null, now());
    store.write(() => {
      for (const sample of dataset) store.samples.insert(id, sample);
    });
    const struck = `Order ${STRUCK - 1} `;
    const scene = await runScene({
      samples: dataset,
      deadlineMs: 400,
      simulator: {
        faults: ({ request }) => (request?.messages[0]?.text.includes(struck) ? fault : null),
      },
      options: { ledger: store.runs, concurrency: 2 },
    });
    const [run] = store.runs.list();
    const [judge] = store.verdicts.judgesOf(id);
    const outcomes = store.verdicts
      .standing(id, judge?.id ?? 0, 'accuracy')
      .map(({ result }) => result.outcome);
    const { problem, events, calls } = scene;
    const shown = JSON.stringify([problem?.report(), problem?.stack, events, run]);
    return { run, outcomes, calls, problem, shown, folder, close: () => store.close() };
  } catch (error) {
    store.close();
    throw error;
  }
}

/** The bytes of all files below a folder. */
function bytesOf(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .flatMap((entry) => (entry.isFile() ? [readFileSync(join(entry.parentPath, entry.name), 'latin1')] : []))
    .join('\n');
}

describe('one sample in four that meets', () => {
  it.each(FAULTS)(
    '%s: it alone has no value, every sending is in the ledger, the key is nowhere',
    async (...row) => {
      const [, fault, outcome, sendings] = row;
      const { run, outcomes, calls, problem, shown, folder, close } = await strike(fault);
      const before = bytesOf(folder);
      close();
      const written = before + bytesOf(folder);
      rmSync(folder, { recursive: true, force: true });
      expect(problem).toBeNull();
      expect(outcomes.toSorted()).toEqual([...Array(SAMPLES - 1).fill('scored'), outcome].toSorted());
      expect(calls).toHaveLength(SAMPLES - 1 + sendings);
      expect(run?.sent).toBe(calls.length);
      expect(written.length).toBeGreaterThan(10_000);
      const marks = ['canary-7f3a', Buffer.from(CANARY).toString('base64').slice(4, 24)];
      const found = marks.filter((mark) => written.includes(mark) || shown.includes(mark));
      expect(found).toEqual([]);
    },
  );
});
