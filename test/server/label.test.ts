import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LabelEvent } from '../../core/label.ts';
import { loadRubric } from '../../harness/workspace/rubrics.ts';
import { importExample, type TestServer, testServer } from '../support/server.ts';
import { exampleWorkspace, type TemporaryWorkspace } from '../support/workspace.ts';

let workspace: TemporaryWorkspace;
let server: TestServer;
beforeAll(async () => {
  workspace = exampleWorkspace();
  server = testServer(workspace);
  await importExample(server, 'refund-replies', 'refund-reply@1');
  await importExample(server, 'refund-pairs', 'refund-pair@1');
});
afterAll(async () => {
  server.close();
  await workspace[Symbol.asyncDispose]();
});

const where = { dataset: 'refund-replies', rubric: 'refund-reply@1' };

async function queueOf(annotator: string, query = where) {
  return (await server.as(annotator).label.queue.$get({ query })).json();
}

function event(sample: string, value: string, more: Partial<LabelEvent> = {}): LabelEvent {
  return {
    id: randomUUID(),
    sample,
    criterion: 'accuracy',
    what: { act: 'label', value, unsure: false },
    evidence: [],
    note: '',
    ms: 1200,
    base: null,
    at: '2026-03-01T08:00:00.000Z',
    order: null,
    ...more,
  };
}

async function send(annotator: string, events: LabelEvent[]) {
  const { rubric_hash } = await queueOf(annotator);
  const response = await server
    .as(annotator)
    .label.events.$post({ query: { ...where, rubric_hash }, json: { events } });
  return { status: response.status, body: await response.json() };
}

describe('the queue', () => {
  it('is the same each time for one person and in another order for another', async () => {
    const [ann, again, bob] = await Promise.all([queueOf('ann'), queueOf('ann'), queueOf('bob')]);
    const ids = (queue: typeof ann) => queue.items.map(({ sample }) => sample);
    expect(ids(ann)).toEqual(ids(again));
    expect(ids(ann)).not.toEqual(ids(bob));
    expect([...ids(ann)].sort()).toEqual([...ids(bob)].sort());
  });

  it('asks who labels first', async () => {
    const token = server.signIn();
    const response = await server.fetch('/api/label/queue?dataset=refund-replies&rubric=refund-reply@1', {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(response.status).toBe(409);
    expect(await response.json()).toMatchObject({ code: 'no_annotator' });
  });
});

describe('an item', () => {
  it('is blind: nothing but the content and one’s own answers', async () => {
    const { items } = await queueOf('ann');
    const sample = items[0]?.sample ?? '';
    await send('bob', [event(sample, '1', { note: 'bob was here' })]);
    const response = await server.as('ann').label.items[':sample'].$get({ param: { sample }, query: where });
    const text = await response.text();
    expect(Object.keys(JSON.parse(text)).sort()).toEqual(['content', 'mine', 'sample', 'side']);
    expect(text).not.toContain('bob');
    for (const hidden of ['metadata', 'external', 'origin', 'verdict', 'judge', 'model', 'trait'])
      expect(Object.keys(JSON.parse(text).content)).not.toContain(hidden);
  });

  it('of a pair stands on a side that is kept for each person', async () => {
    const pairs = { dataset: 'refund-pairs', rubric: 'refund-pair@1' };
    const { items } = await queueOf('ann', pairs);
    const sides = await Promise.all(
      items.map(
        async ({ sample }) =>
          (
            await (
              await server.as('ann').label.items[':sample'].$get({ param: { sample }, query: pairs })
            ).json()
          ).side,
      ),
    );
    expect(new Set(sides)).toEqual(new Set(['ab', 'ba']));
  });
});

describe('labelling events', () => {
  it('are stored once however often they are sent', async () => {
    const sample = (await queueOf('cleo')).items[0]?.sample ?? '';
    const one = event(sample, '3');
    expect((await send('cleo', [one])).body).toEqual({
      acks: [{ id: one.id, revision: 1, status: 'stored' }],
    });
    for (let i = 0; i < 3; i++)
      expect((await send('cleo', [one])).body).toEqual({
        acks: [{ id: one.id, revision: 1, status: 'replayed' }],
      });
  });

  it('supersede without overwriting, and can be taken back', async () => {
    const sample = (await queueOf('dan')).items[0]?.sample ?? '';
    await send('dan', [
      event(sample, '3'),
      event(sample, '1', { base: 1 }),
      event(sample, '2', { base: 2, what: { act: 'clear' } }),
    ]);
    const { dataset } = server.services.store.samples.find(sample) ?? { dataset: 0 };
    const standing = server.services.store.labels.standing(dataset, 'refund-reply@1', { annotator: 'dan' });
    expect(standing.map(({ label }) => [label.what.act, label.revision])).toEqual([['clear', 3]]);
  });

  it('that build on an older state are refused with what stands', async () => {
    const sample = (await queueOf('eve')).items[0]?.sample ?? '';
    await send('eve', [event(sample, '3')]);
    const late = event(sample, '1', { base: 0 });
    expect((await send('eve', [late])).body).toEqual({
      acks: [
        { id: late.id, revision: 1, status: 'conflict', stands: { act: 'label', value: '3', unsure: false } },
      ],
    });
  });

  it.each([
    ['a level that there is not', { what: { act: 'label' as const, value: '9', unsure: false } }, 422],
    ['a criterion that there is not', { criterion: 'charm' }, 422],
  ])('with %s store nothing', async (_, more, status) => {
    const sample = (await queueOf('fay')).items[0]?.sample ?? '';
    const got = await send('fay', [event(sample, '3'), event(sample, '3', more)]);
    expect(got.status).toBe(status);
    expect((await queueOf('fay')).items[0]?.state).toBe('todo');
  });

  it('under a rubric that changed meanwhile are refused', async () => {
    const sample = (await queueOf('gus')).items[0]?.sample ?? '';
    const response = await server.as('gus').label.events.$post({
      query: { ...where, rubric_hash: 'sha256:old' },
      json: { events: [event(sample, '3')] },
    });
    expect(response.status).toBe(409);
    expect(await response.json()).toMatchObject({ code: 'rubric_changed' });
  });

  it('after a look at what others said are not blind, and gold leaves them out', async () => {
    const { store } = server.services;
    const sample = (await queueOf('hal')).items[0]?.sample ?? '';
    await send('hal', [event(sample, '3')]);
    await server.as('hal').datasets[':dataset'].samples[':sample'].ratings.$get({
      param: { dataset: 'refund-replies', sample },
      query: { rubric: 'refund-reply@1' },
    });
    await send('hal', [event(sample, '1', { base: 1 })]);
    const { dataset } = store.samples.find(sample) ?? { dataset: 0 };
    const what = (blind: boolean) =>
      store.labels
        .standing(dataset, 'refund-reply@1', { annotator: 'hal', blind })
        .map(({ label }) => [label.saw, label.what]);
    expect(what(false)).toEqual([['verdicts', { act: 'label', value: '1', unsure: false }]]);
    expect(what(true)).toEqual([['blind', { act: 'label', value: '3', unsure: false }]]);
  });

  it('after agreement showed what others said are not blind either', async () => {
    const { store } = server.services;
    const { seq, sample, dataset } = await disagreement('ida');
    await server
      .as('jon')
      .agreement.$get({ query: { ...where, criterion: 'accuracy', judge: 'foreign:other' } });
    await send('jon', [event(sample, '2')]);
    expect(store.labels.revealed(seq, ['jon'])).toBe(true);
    const [label] = store.labels.standing(dataset, where.rubric, { annotator: 'jon' });
    expect(label?.label.saw).toBe('verdicts');
  });

  it('are not blind under a name that is given after the look', async () => {
    const { sample, dataset } = await disagreement('kim');
    const token = server.signIn();
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    await server.fetch(`/api/datasets/refund-replies/samples/${sample}/ratings?rubric=refund-reply@1`, {
      headers,
    });
    await server.fetch('/api/session/annotator', { method: 'POST', headers, body: '{"annotator":"lee"}' });
    const { rubric_hash } = await queueOf('lee');
    const place = `/api/label/events?dataset=refund-replies&rubric=refund-reply@1&rubric_hash=${rubric_hash}`;
    await server.fetch(place, {
      method: 'POST',
      headers,
      body: JSON.stringify({ events: [event(sample, '2')] }),
    });
    const [label] = server.services.store.labels.standing(dataset, where.rubric, { annotator: 'lee' });
    expect(label?.label.saw).toBe('verdicts');
  });
});

describe('the samples page', () => {
  it('shows no metadata before what others said is opened', async () => {
    const { sample } = await disagreement('mia');
    const named = { dataset: where.dataset, sample };
    const page = await server.as('mia').datasets[':dataset'].samples.$get({ param: where, query: {} });
    const one = await server.as('mia').datasets[':dataset'].samples[':sample'].$get({ param: named });
    expect((await page.text()) + (await one.text())).not.toContain('trait');
    const opened = await server.as('mia').datasets[':dataset'].samples[':sample'].ratings.$get({
      param: named,
      query: { rubric: where.rubric },
    });
    expect(await opened.text()).toContain('trait');
  });
});

/** A sample that one person labelled and a foreign judge judged otherwise. */
async function disagreement(annotator: string): Promise<{ seq: number; sample: string; dataset: number }> {
  const { store } = server.services;
  const sample = (await queueOf(annotator)).items.at(-1)?.sample ?? '';
  await send(annotator, [event(sample, '3')]);
  const found = store.samples.find(sample);
  if (found === null) throw new Error(`no sample ${sample}`);
  const { hash } = loadRubric(workspace, where.rubric);
  store.write(() =>
    store.verdicts.append(
      store.verdicts.judge('foreign:other', 'foreign', false).id,
      found.seq,
      {
        criterion: 'accuracy',
        rubric_hash: hash,
        order: null,
        repeat: 1,
        result: { outcome: 'scored', value: '1', reason: '', quotes: [] },
        served_model: null,
        fingerprint: null,
        at: '2026-03-01T08:00:00.000Z',
      },
      null,
    ),
  );
  return { seq: found.seq, sample, dataset: found.dataset };
}
