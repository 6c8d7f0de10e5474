import { expect, test } from 'vitest';
import type { LabelAck, LabelEvent } from '../../../core/label.ts';
import {
  type Destination,
  type Entry,
  type EntryStore,
  nextBatch,
  retryDelay,
  type Sent,
} from '../../../web/outbox/entry.ts';
import { Outbox } from '../../../web/outbox/outbox.svelte.ts';

const to: Destination = { dataset: 'replies', rubric: 'tone@1', rubric_hash: 'sha256:1', annotator: 'Ada' };
let made = 0;
const event = (rest: Partial<LabelEvent> = {}): LabelEvent => ({
  id: `event-${++made}`,
  sample: 's_00000000000000000001',
  criterion: `criterion-${made}`,
  what: { act: 'label', value: '1', unsure: false },
  evidence: [],
  note: '',
  ms: 0,
  base: 0,
  at: new Date(1_700_000_000_000 + made).toISOString(),
  order: null,
  ...rest,
});

/** What a browser keeps, in a map. */
function memoryStore(kept: Entry[] = []): EntryStore & { kept: Map<string, Entry> } {
  const map = new Map(kept.map((entry) => [entry.event.id, entry]));
  return {
    kept: map,
    load: async () => [...map.values()],
    put: async (entry) => void map.set(entry.event.id, structuredClone(entry)),
    remove: async (ids) => {
      for (const id of ids) map.delete(id);
    },
  };
}

/** A server that keeps what it is sent, once an id, and can be away. */
function server() {
  const stored = new Map<string, LabelEvent>();
  const requests: string[][] = [];
  const away: { answer: Sent | null } = { answer: null };
  const acksOf = (events: readonly LabelEvent[]): LabelAck[] =>
    events.map(({ id }) => ({
      id,
      revision: 1,
      status: stored.has(id) ? ('replayed' as const) : ('stored' as const),
    }));
  return {
    stored,
    requests,
    away,
    send: async (_: Destination, events: LabelEvent[]): Promise<Sent> => {
      requests.push(events.map(({ id }) => id));
      if (away.answer !== null) return away.answer;
      const acks = acksOf(events);
      for (const one of events) stored.set(one.id, one);
      return { ok: true, value: { acks } };
    },
  };
}

const problem = (code: string, status: number): Sent => ({
  ok: false,
  status,
  problem: { code, message: code, remedy: '' },
});

function outboxOf(options: {
  store?: EntryStore;
  send: (to: Destination, events: LabelEvent[]) => Promise<Sent>;
}) {
  const waits: { ms: number; run: () => void }[] = [];
  const outbox = new Outbox({
    store: options.store ?? memoryStore(),
    send: options.send,
    random: () => 0.5,
    later: (ms, run) => {
      const wait = { ms, run };
      waits.push(wait);
      return () => void waits.splice(waits.indexOf(wait), 1);
    },
  });
  outbox.annotator = 'Ada';
  return { outbox, waits };
}

test('keeps an event in the browser until the server has acknowledged it', async () => {
  const store = memoryStore();
  const { send, stored } = server();
  const { outbox } = outboxOf({ store, send });
  outbox.add(to, event());
  expect([outbox.state, store.kept.size]).toEqual(['saving', 1]);
  await outbox.flush();
  expect([outbox.state, store.kept.size, stored.size]).toEqual(['saved', 0, 1]);
});

test('a lost server loses nothing: events wait, in order, and go out once when it is back', async () => {
  const store = memoryStore();
  const { send, stored, requests, away } = server();
  const { outbox, waits } = outboxOf({ store, send });
  away.answer = problem('no_server', 0);
  const events = Array.from({ length: 120 }, () => event());
  for (const one of events) outbox.add(to, one);
  await outbox.flush();
  expect([outbox.state, outbox.waiting.length, store.kept.size, stored.size]).toEqual([
    'offline',
    120,
    120,
    0,
  ]);
  away.answer = null;
  requests.length = 0;
  waits[0]?.run();
  await outbox.flush();
  expect([...stored.keys()]).toEqual(events.map(({ id }) => id));
  expect(requests.map((batch) => batch.length)).toEqual([50, 50, 20]);
  expect([outbox.state, store.kept.size]).toEqual(['saved', 0]);
});

test('waits longer after each failure, and at once when asked', async () => {
  const { send, away } = server();
  const { outbox, waits } = outboxOf({ send });
  away.answer = problem('no_server', 0);
  outbox.add(to, event());
  await outbox.flush();
  const seen: number[] = [];
  for (let failure = 0; failure < 8; failure++) {
    seen.push(waits[0]?.ms ?? 0);
    waits.splice(0, 1)[0]?.run();
    await outbox.flush();
  }
  expect(seen).toEqual([500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000]);
  away.answer = null;
  await outbox.retry();
  expect(outbox.state).toBe('saved');
});

test('retries are spread, so that many browsers do not come back in one moment', () => {
  expect([retryDelay(3, 0), retryDelay(3, 1)]).toEqual([1500, 2500]);
});

test('what an earlier visit left is sent first, in the order in which it was made', async () => {
  const left = [event(), event(), event()];
  const store = memoryStore(left.toReversed().map((one) => ({ to, event: one, place: 0, hold: null })));
  const { send, stored } = server();
  const { outbox } = outboxOf({ store, send });
  await outbox.open();
  outbox.add(to, event());
  await outbox.flush();
  expect([...stored.keys()].slice(0, 3)).toEqual(left.map(({ id }) => id));
});

test('sending again what had arrived is no second event', async () => {
  const kept = event();
  const { send, stored } = server();
  stored.set(kept.id, kept);
  const { outbox } = outboxOf({ store: memoryStore([{ to, event: kept, place: 0, hold: null }]), send });
  await outbox.open();
  await outbox.flush();
  expect([outbox.state, stored.size]).toEqual(['saved', 1]);
});

test('one event that is refused does not keep the others back', async () => {
  const { send, stored } = server();
  const bad = event();
  const { outbox, waits } = outboxOf({
    send: async (where, events) =>
      events.some(({ id }) => id === bad.id) ? problem('bad_label', 422) : send(where, events),
  });
  const good = [event(), event()];
  for (const one of [good[0], bad, good[1]]) if (one !== undefined) outbox.add(to, one);
  await outbox.flush();
  expect([...stored.keys()]).toEqual(good.map(({ id }) => id));
  expect([outbox.state, outbox.held.map((entry) => entry.hold?.why), waits]).toEqual([
    'held',
    ['refused'],
    [],
  ]);
});

test('a rubric that changed holds the whole batch: nothing goes under another text', async () => {
  const { outbox } = outboxOf({ send: async () => problem('rubric_changed', 409) });
  outbox.add(to, event());
  outbox.add(to, event());
  await outbox.flush();
  expect(outbox.held.length).toBe(2);
});

test('a conflict is held with what stands, and only the last of several on one question', async () => {
  const { outbox } = outboxOf({
    send: async (_, events) => ({
      ok: true,
      value: {
        acks: events.map(({ id }) => ({
          id,
          revision: 4,
          status: 'conflict' as const,
          stands: { act: 'skip' as const },
        })),
      },
    }),
  });
  const question = { sample: 's_00000000000000000009', criterion: 'tone' };
  const [one, two] = [event(question), event(question)];
  outbox.add(to, one);
  outbox.add(to, two);
  await outbox.flush();
  expect(outbox.held.map(({ event: held, hold }) => [held.id, hold])).toEqual([
    [two.id, { why: 'conflict', stands: { act: 'skip' } }],
  ]);
  await outbox.drop([two.id]);
  expect(outbox.state).toBe('saved');
});

test('signed out, overloaded or failing, the server is asked again later', async () => {
  for (const answer of [
    problem('signed_out', 401),
    problem('internal', 500),
    problem('busy', 429),
    problem('no_annotator', 409),
  ]) {
    const { outbox, waits } = outboxOf({ send: async () => answer });
    outbox.add(to, event());
    await outbox.flush();
    expect([outbox.state, outbox.held, waits.length]).toEqual(['offline', [], 1]);
  }
});

test('an answer that acknowledges nothing is no acknowledgement', async () => {
  const store = memoryStore();
  const { outbox, waits } = outboxOf({ store, send: async () => ({ ok: true, value: { acks: [] } }) });
  outbox.add(to, event());
  await outbox.flush();
  expect([outbox.state, store.kept.size, waits.length]).toEqual(['offline', 1, 1]);
});

test('events go out under the name that made them, never under another', async () => {
  const { send, stored } = server();
  const { outbox } = outboxOf({ send });
  outbox.annotator = 'Bea';
  outbox.add(to, event());
  await outbox.flush();
  expect([stored.size, outbox.waiting, outbox.others.length]).toEqual([0, [], 1]);
  outbox.annotator = 'Ada';
  await outbox.flush();
  expect([stored.size, outbox.others]).toEqual([1, []]);
});

test('a batch holds one destination only, and keeps the order', () => {
  const entry = (rubric: string): Entry => ({ to: { ...to, rubric }, event: event(), place: 0, hold: null });
  const entries = [entry('a@1'), entry('a@1'), entry('b@1'), entry('a@1')];
  expect(nextBatch(entries, 'Ada')).toEqual(entries.slice(0, 2));
  expect(nextBatch(entries, 'Ada', 1)).toEqual(entries.slice(0, 1));
});

test('a browser that can keep nothing says so', async () => {
  const store = { ...memoryStore(), put: async () => Promise.reject(new Error('quota')) };
  const { outbox } = outboxOf({ store, send: () => new Promise(() => {}) });
  outbox.add(to, event());
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  expect(outbox.trouble?.problem.code).toBe('no_browser_storage');
});
