import { expect, test } from 'vitest';
import { LabelEvent } from '../../../core/label.ts';
import { Rubric } from '../../../core/rubric.ts';
import type { Answer, BlindItem, Queue } from '../../../web/api.ts';
import type { Draft } from '../../../web/label/draft.ts';
import { LabelSession } from '../../../web/label/session.svelte.ts';

const id = (n: number) => `s_${String(n).padStart(20, '0')}`;

const rubric = Rubric.parse({
  rubric: 'reply',
  version: 1,
  title: 'A reply',
  task: 'Judge it.',
  criteria: [
    {
      id: 'accuracy',
      question: 'Is it right?',
      scale: 'ordinal',
      levels: [{ value: 1 }, { value: 2 }, { value: 3 }],
    },
    {
      id: 'tone',
      question: 'Is it kind?',
      scale: 'binary',
      levels: [{ value: 'no' }, { value: 'yes' }],
      pass: { equals: 'yes' },
      not_applicable: 'No words.',
    },
  ],
});

interface Bench {
  session: LabelSession;
  events: LabelEvent[];
  drafts: Map<string, Draft>;
  moves: (string | null)[];
  fetched: string[];
  /** Lets so many milliseconds go by: what was put off until then happens. */
  pass: (ms: number) => void;
  away: { on: boolean };
}

/** A session over so many samples, with a clock that stands until it is told, and a server in memory. */
async function bench(
  samples: number,
  options: {
    mine?: Record<string, BlindItem['mine']>;
    drafts?: Map<string, Draft>;
    states?: Queue['items'][number]['state'][];
    rubric?: Rubric;
  } = {},
): Promise<Bench> {
  const events: LabelEvent[] = [];
  const drafts = options.drafts ?? new Map<string, Draft>();
  const moves: (string | null)[] = [];
  const fetched: string[] = [];
  const away = { on: false };
  let clock = 0;
  let waits: { at: number; run: () => void }[] = [];
  let ids = 0;
  const queue: Queue = {
    dataset: 'replies',
    rubric: options.rubric ?? rubric,
    rubric_ref: 'reply@1',
    rubric_hash: 'sha256:1',
    annotator: 'Ada',
    items: Array.from({ length: samples }, (_, n) => ({
      sample: id(n),
      state: options.states?.[n] ?? 'todo',
    })),
  };
  const session = new LabelSession({
    queue,
    fetch: async (sample): Promise<Answer<BlindItem>> => {
      fetched.push(sample);
      if (away.on)
        return { ok: false, status: 0, problem: { code: 'no_server', message: 'away', remedy: '' } };
      const content = { kind: 'single' as const, input: 'q', output: `reply ${sample}` };
      return { ok: true, value: { sample, content, side: null, mine: options.mine?.[sample] ?? {} } };
    },
    record: (event) => events.push(LabelEvent.parse({ ...event, id: crypto.randomUUID() })),
    drafts,
    keepDraft: (question, draft) =>
      void (draft === null ? drafts.delete(question) : drafts.set(question, draft)),
    now: () => new Date(1_700_000_000_000 + clock),
    elapsed: () => clock,
    newId: () => `event-${++ids}`,
    moved: (sample) => moves.push(sample),
    later: (ms, run) => {
      const wait = { at: clock + ms, run };
      waits.push(wait);
      return () => {
        waits = waits.filter((one) => one !== wait);
      };
    },
  });
  session.way.start(null);
  await arrived();
  return {
    session,
    events,
    drafts,
    moves,
    fetched,
    away,
    pass: (ms) => {
      clock += ms;
      const due = waits.filter(({ at }) => at <= clock);
      waits = waits.filter(({ at }) => at > clock);
      for (const { run } of due) run();
    },
  };
}

/** Until everything that was asked for has come. */
async function arrived(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
}

const said = (events: readonly LabelEvent[]) =>
  events.map(
    ({ criterion, what, base }) =>
      `${criterion} ${what.act === 'label' ? what.value + (what.unsure ? '?' : '') : what.act} on ${base}`,
  );

test('begins at the first open sample, and fetches the next three', async () => {
  const { session, fetched, moves } = await bench(6, {
    states: ['done', 'skipped', 'todo', 'todo', 'todo', 'todo'],
  });
  expect([session.sample, moves]).toEqual([id(2), [id(2)]]);
  expect(fetched).toEqual([id(2), id(3), id(4), id(5)]);
});

test('a digit answers the active criterion, then the next one is active', async () => {
  const { session, events } = await bench(2);
  session.chooseKey('3');
  expect([said(events), session.criterion?.id]).toEqual([['accuracy 3 on 0'], 'tone']);
  session.chooseKey('2');
  expect(said(events)).toEqual(['accuracy 3 on 0', 'tone no on 0']);
});

test('the last digit that was missing moves on after 350 ms, not before', async () => {
  const { session, pass } = await bench(2);
  session.chooseKey('3');
  session.chooseKey('1');
  pass(349);
  expect(session.sample).toBe(id(0));
  pass(1);
  expect([session.sample, session.states[0], session.active]).toEqual([id(1), 'done', 0]);
});

test('a second digit within the pause corrects the first, and the pause begins anew', async () => {
  const { session, events, pass } = await bench(2);
  session.chooseKey('3');
  session.chooseKey('1');
  pass(300);
  session.chooseKey('2');
  pass(300);
  expect(session.sample).toBe(id(0));
  pass(50);
  expect([session.sample, said(events).at(-1)]).toEqual([id(1), 'tone no on 1']);
});

test('anything else within the pause keeps the sample in sight', async () => {
  for (const act of [
    (s: LabelSession) => s.toggleUnsure(),
    (s: LabelSession) => s.setNote('tone', 'why'),
    (s: LabelSession) => s.toggleFlag(),
    (s: LabelSession) => s.undo(),
  ]) {
    const { session, pass } = await bench(2);
    session.chooseKey('3');
    session.chooseKey('1');
    act(session);
    pass(1000);
    expect(session.sample).toBe(id(0));
  }
});

test('an answer by pointer or arrow does not move on by itself', async () => {
  const { session, pass } = await bench(2);
  for (const criterion of session.criteria) {
    const [first] = session.choices(criterion);
    if (first !== undefined) session.choose(criterion.id, first, true);
  }
  pass(1000);
  expect([session.sample, session.states[0]]).toEqual([id(0), 'done']);
});

test('a choice by a radio’s own keys leaves the keys where they are', async () => {
  const { session } = await bench(1);
  const [criterion] = session.criteria;
  const [first] = criterion === undefined ? [] : session.choices(criterion);
  if (first !== undefined) session.choose('accuracy', first, false);
  expect([session.criterion?.id, session.open.map(({ id: open }) => open)]).toEqual(['accuracy', ['tone']]);
});

test('a digit on a criterion before the last does not move on, though all is answered', async () => {
  const { session, pass } = await bench(2);
  session.chooseKey('3');
  session.chooseKey('1');
  session.active = 0;
  session.chooseKey('2');
  pass(1000);
  expect([session.sample, session.criterion?.id]).toEqual([id(0), 'tone']);
});

test('Enter goes on where all is answered, else says what is open', async () => {
  const { session } = await bench(2);
  session.chooseKey('3');
  session.active = 0;
  session.save();
  expect([session.sample, session.criterion?.id, session.news]).toEqual([
    id(0),
    'tone',
    'Still open: Is it kind? Press s to skip the sample.',
  ]);
  session.chooseKey('x');
  session.save();
  expect(session.sample).toBe(id(1));
});

test('choosing what stands already is no event', async () => {
  const { session, events } = await bench(1);
  session.chooseKey('3');
  session.active = 0;
  session.chooseKey('3');
  expect(said(events)).toEqual(['accuracy 3 on 0']);
});

test('unsure before an answer goes with the answer; after it, as an event of its own', async () => {
  const { session, events } = await bench(1);
  session.toggleUnsure();
  expect(events).toEqual([]);
  session.chooseKey('2');
  session.active = 0;
  session.toggleUnsure();
  expect(said(events)).toEqual(['accuracy 2? on 0', 'accuracy 2 on 1']);
});

test('skip puts off what is open, keeps what is answered, and goes on', async () => {
  const { session, events } = await bench(2);
  session.chooseKey('3');
  session.skip();
  expect([said(events), session.sample, session.states[0]]).toEqual([
    ['accuracy 3 on 0', 'tone skip on 0'],
    id(1),
    'skipped',
  ]);
});

test('skipping a sample that is answered only goes on', async () => {
  const { session, events } = await bench(2);
  session.chooseKey('3');
  session.chooseKey('1');
  session.skip();
  expect([events.length, session.sample]).toEqual([2, id(1)]);
});

test('a flag stands on the whole sample; the same key takes it back; an answer does, too', async () => {
  const { session, events } = await bench(2);
  session.toggleFlag();
  expect([said(events), session.states[0], session.flagged]).toEqual([
    ['accuracy flag on 0', 'tone flag on 0'],
    'flagged',
    true,
  ]);
  session.toggleFlag();
  expect([session.states[0], session.flagged]).toEqual(['todo', false]);
  session.toggleFlag();
  session.chooseKey('1');
  expect([session.states[0], said(events).slice(-2)]).toEqual([
    'partial',
    ['accuracy 1 on 3', 'tone clear on 3'],
  ]);
});

test('a flagged sample can be left by Enter', async () => {
  const { session } = await bench(2);
  session.toggleFlag();
  session.save();
  expect(session.sample).toBe(id(1));
});

test('undo takes any number of acts back, also of samples that were left, as new events', async () => {
  const { session, events, pass } = await bench(3);
  for (const key of ['3', '1']) session.chooseKey(key);
  pass(350);
  await arrived();
  for (const key of ['2', '2']) session.chooseKey(key);
  pass(350);
  expect(session.sample).toBe(id(2));
  for (let step = 0; step < 4; step++) session.undo();
  expect(session.sample).toBe(id(0));
  expect(said(events).slice(4)).toEqual([
    'tone clear on 1',
    'accuracy clear on 1',
    'tone clear on 1',
    'accuracy clear on 1',
  ]);
  expect(session.states).toEqual(['todo', 'todo', 'todo']);
  session.undo();
  expect(session.news).toBe('There is nothing to take back.');
  for (let step = 0; step < 4; step++) session.redo();
  expect(said(events).slice(8)).toEqual([
    'accuracy 3 on 2',
    'tone yes on 2',
    'accuracy 2 on 2',
    'tone no on 2',
  ]);
  expect(session.states).toEqual(['done', 'done', 'todo']);
});

test('undo of a changed answer restores the answer before, with its marks and note', async () => {
  const { session, events } = await bench(1);
  session.addEvidence({ field: 'output', start: 0, end: 5, quote: 'reply' });
  session.setNote('accuracy', 'as it says');
  session.chooseKey('3');
  session.active = 0;
  session.chooseKey('1');
  session.undo();
  const last = events.at(-1);
  expect([last?.what, last?.note, last?.evidence.length, last?.base]).toEqual([
    { act: 'label', value: '3', unsure: false },
    'as it says',
    1,
    2,
  ]);
});

test('an act after undo ends what could be done again', async () => {
  const { session } = await bench(1);
  session.chooseKey('3');
  session.undo();
  session.chooseKey('2');
  session.redo();
  expect(session.news).toBe('There is nothing to do again.');
});

test('undo of a skip opens the sample again', async () => {
  const { session } = await bench(2);
  session.skip();
  session.undo();
  expect([session.sample, session.states[0]]).toEqual([id(0), 'todo']);
});

test('marks and notes of an open question are kept here and go with the answer', async () => {
  const { session, events, drafts } = await bench(1);
  const span = { field: 'output' as const, start: 0, end: 5, quote: 'reply' };
  session.addEvidence(span);
  session.setNote('accuracy', 'because');
  expect([events, drafts.get(`${id(0)}/accuracy`)]).toEqual([
    [],
    { evidence: [span], note: 'because', unsure: false },
  ]);
  session.chooseKey('3');
  expect([events[0]?.evidence, events[0]?.note, drafts.size]).toEqual([[span], 'because', 0]);
});

test('a reload finds the marks of an open question again', async () => {
  const span = { field: 'output' as const, start: 0, end: 5, quote: 'reply' };
  const { session } = await bench(1, {
    drafts: new Map([[`${id(0)}/accuracy`, { evidence: [span], note: 'n', unsure: true }]]),
  });
  expect(session.standing('accuracy')).toMatchObject({
    what: null,
    evidence: [span],
    note: 'n',
    unsure: true,
  });
});

test('a mark or note on an answered question is an event; removing it, too', async () => {
  const { session, events } = await bench(1);
  session.chooseKey('3');
  session.active = 0;
  session.addEvidence({ field: 'output', start: 0, end: 5, quote: 'reply' });
  session.addEvidence({ field: 'output', start: 0, end: 5, quote: 'reply' });
  session.removeEvidence('accuracy', 0);
  expect(events.map(({ evidence, base }) => [evidence.length, base])).toEqual([
    [0, 0],
    [1, 1],
    [0, 2],
  ]);
});

test('a mark that is too long, or one too many, is refused with words', async () => {
  const { session } = await bench(1);
  session.addEvidence({ field: 'output', start: 0, end: 20_001, quote: 'x'.repeat(20_001) });
  expect([session.standing('accuracy').evidence.length, session.news]).toEqual([
    0,
    'A mark holds at most 20000 characters.',
  ]);
  for (let n = 0; n < 51; n++) session.addEvidence({ field: 'output', start: n, end: n + 1, quote: 'x' });
  expect([session.standing('accuracy').evidence.length, session.news]).toEqual([50, 'At most 50 marks.']);
});

test('an event builds on what the server has and on what is on its way', async () => {
  const mine = {
    accuracy: {
      what: { act: 'label' as const, value: '1', unsure: false },
      evidence: [],
      note: '',
      revision: 4,
      ms: 2000,
    },
  };
  const { session, events } = await bench(1, { mine: { [id(0)]: mine } });
  expect(session.criterion?.id).toBe('tone');
  session.active = 0;
  session.chooseKey('2');
  session.active = 0;
  session.chooseKey('3');
  expect(said(events)).toEqual(['accuracy 2 on 4', 'accuracy 3 on 5']);
});

test('after a conflict events build on whatever stands', async () => {
  const { session, events } = await bench(1);
  session.chooseKey('2');
  session.forgetRevision(id(0), 'accuracy');
  session.active = 0;
  session.chooseKey('3');
  expect(said(events).at(-1)).toBe('accuracy 3 on null');
});

test('time counts for the question that it was spent on, over visits, and not while idle', async () => {
  const mine = {
    accuracy: { what: { act: 'skip' as const }, evidence: [], note: '', revision: 1, ms: 7000 },
  };
  const { session, events, pass } = await bench(2, { mine: { [id(0)]: mine } });
  pass(4000);
  session.chooseKey('3');
  pass(90_000);
  session.chooseKey('1');
  expect(events.map(({ ms }) => ms)).toEqual([11_000, 30_000]);
});

test('the usual time is that of the samples finished here', async () => {
  const { session, pass } = await bench(8);
  for (const seconds of [2, 4, 6, 8, 10]) {
    await arrived();
    pass(seconds * 1000);
    session.chooseKey('3');
    session.chooseKey('1');
    pass(350);
  }
  expect([session.times, session.timeLeft]).toEqual([[2000, 4000, 6000, 8000, 10_000], 18_000]);
});

test('the arrows go to neighbours whatever their state, and stop at the ends', async () => {
  const { session } = await bench(3, { states: ['done', 'todo', 'done'] });
  session.step(-1);
  expect(session.sample).toBe(id(0));
  session.step(-1);
  expect([session.sample, session.news]).toEqual([id(0), 'This is the first sample.']);
  session.step(1);
  session.step(1);
  session.step(1);
  expect([session.sample, session.news]).toEqual([id(2), 'This is the last sample.']);
});

test('at the end stands the end; skipped ones come again when asked for, each once', async () => {
  const skipped = {
    accuracy: { what: { act: 'skip' as const }, evidence: [], note: '', revision: 1, ms: 0 },
  };
  const { session, moves, pass } = await bench(3, {
    states: ['skipped', 'todo', 'skipped'],
    mine: { [id(0)]: skipped, [id(2)]: skipped },
  });
  session.chooseKey('3');
  session.chooseKey('1');
  pass(350);
  expect([session.way.index, moves.at(-1), session.count('skipped')]).toEqual([null, null, 2]);
  session.way.startSkipped();
  await arrived();
  expect(session.sample).toBe(id(0));
  session.skip();
  expect(session.sample).toBe(id(2));
  session.skip();
  expect(session.way.index).toBeNull();
  session.step(-1);
  expect(session.sample).toBe(id(2));
});

test('an item that could not be fetched is asked for again until it comes', async () => {
  const { session, away, pass } = await bench(3);
  away.on = true;
  session.step(1);
  session.step(1);
  session.refetch(id(2));
  await arrived();
  expect([session.item, session.way.problem?.code]).toEqual([null, 'no_server']);
  pass(2000);
  await arrived();
  expect(session.item).toBeNull();
  away.on = false;
  pass(2000);
  await arrived();
  expect([session.item?.sample, session.way.problem]).toEqual([id(2), null]);
});

test('nothing can be answered before the sample is there', async () => {
  const { session, events, away } = await bench(8);
  away.on = true;
  session.way.start(id(7));
  session.chooseKey('3');
  session.skip();
  session.toggleFlag();
  session.save();
  expect([events, session.sample]).toEqual([[], id(7)]);
});

test('labels of a pair carry the order that was shown', async () => {
  const pairs = Rubric.parse({
    rubric: 'pair',
    version: 1,
    title: 'p',
    task: 't',
    criteria: [
      {
        id: 'better',
        question: 'Which?',
        scale: 'pairwise',
        levels: [{ value: 'a' }, { value: 'b' }, { value: 'tie' }],
      },
    ],
  });
  const events: LabelEvent[] = [];
  const session = new LabelSession({
    queue: {
      dataset: 'p',
      rubric: pairs,
      rubric_ref: 'pair@1',
      rubric_hash: '',
      annotator: 'Ada',
      items: [{ sample: id(0), state: 'todo' }],
    },
    fetch: async (sample) => ({
      ok: true,
      value: {
        sample,
        content: { kind: 'pair', input: 'q', outputs: { a: 'one', b: 'two' } },
        side: 'ba',
        mine: {},
      },
    }),
    record: (event) => events.push(event),
    drafts: new Map(),
    keepDraft: () => {},
    now: () => new Date(0),
    elapsed: () => 0,
    newId: () => '1',
    moved: () => {},
    later: () => () => {},
  });
  session.way.start(null);
  await arrived();
  session.chooseKey('1');
  expect(events[0]).toMatchObject({ what: { act: 'label', value: 'b' }, order: 'ba' });
});
