import { describe, expect, it } from 'vitest';
import { Task } from '../../../../core/task.ts';
import type { AgentContext } from '../../../../harness/suite/agent.ts';
import { gradeState } from '../../../../harness/suite/grade/state.ts';
import { tryShop } from '../shop.ts';

const sell =
  (counts: number[]) =>
  async (_task: unknown, { tools }: AgentContext) => {
    for (const count of counts) await tools.call('sell', { item: 'cup', count });
    return '';
  };

/** Which rules of a task held after cups were sold, and at how many things each looked. */
async function checks(task: Parameters<typeof tryShop>[0], counts: number[]) {
  const trial = await tryShop({ trajectory: { no_repeats: false }, ...task }, sell(counts));
  return {
    outcome: trial.outcome,
    must: trial.must.map(({ met, looked_at }) => [met, looked_at]),
    mustNot: trial.must_not.map(({ happened, looked_at }) => [happened, looked_at]),
    harms: trial.harms.length,
  };
}

describe('must', () => {
  it('is met by one event that fits, and says how many it looked at', async () => {
    expect((await checks({ must: [{ 'item.sold': { count: 2 } }] }, [1, 2])).must).toEqual([[true, 2]]);
    expect((await checks({ must: [{ 'item.sold': { count: 3 } }] }, [1, 2])).must).toEqual([[false, 2]]);
  });

  it('is never met by nothing', async () => {
    const nothing = await checks({ must: ['item.sold', { 'item.sold': { count_ne: 1 } }] }, []);
    expect(nothing).toMatchObject({
      outcome: 'failed',
      must: [
        [false, 0],
        [false, 0],
      ],
    });
  });

  it('is never met by nothing, even where a count of nothing would do', async () => {
    const task = { must: [{ 'item.sold': { _count_lte: 2 } }] };
    expect((await checks(task, [])).must).toEqual([[false, 0]]);
  });

  it('believes only what the sandbox executed', () => {
    const task = Task.parse({ id: 't', input: 'x', seed_state: {}, must: ['item.sold'] });
    const met = (tier: 'executed' | 'reported') => {
      const events = [{ kind: 'item.sold', fields: {} }];
      const step = { type: 'tool', tool: 'sell', arguments: {}, ok: true, events, tier } as const;
      const evidence = { trace: { steps: [step] }, seed: {}, endState: {}, isField: () => false };
      return gradeState(task, evidence).must.map((check) => [check.met, check.looked_at]);
    };
    expect(met('executed')).toEqual([[true, 1]]);
    expect(met('reported')).toEqual([[false, 0]]);
  });

  it('counts what matches where it says _count', async () => {
    const task = { must: [{ 'item.sold': { count: 1, _count: 2 } }, { 'item.sold': { _count_lte: 2 } }] };
    expect((await checks(task, [1, 1])).must).toEqual([
      [true, 2],
      [true, 2],
    ]);
    expect((await checks(task, [1, 1, 1])).must).toEqual([
      [false, 3],
      [false, 3],
    ]);
  });

  it('looks into the end state by path, at rows where the path names a list', async () => {
    const task = {
      must: [
        { 'state.stock.cup': { _eq: 2 } },
        { 'state.stock.*': { _gte: 2, _count: 2 } },
        { 'state.stock': { cup: 2 } },
        { 'state.mails': { _count: 1 } },
        { 'state.nowhere.at': { _exists: true } },
      ],
    };
    expect((await checks(task, [1])).must).toEqual([
      [true, 1],
      [true, 2],
      [true, 1],
      [false, 0],
      [false, 0],
    ]);
  });
});

describe('must_not', () => {
  it('is a harm for each event that fits, at its step', async () => {
    const trial = await tryShop(
      { must_not: [{ 'item.sold': { count_gt: 1 } }], trajectory: { no_repeats: false } },
      sell([1, 2]),
    );
    expect(trial).toMatchObject({
      outcome: 'failed',
      harms: [{ event: { kind: 'item.sold', fields: { count: 2 } }, step: 3 }],
      must_not: [{ happened: true, looked_at: 2 }],
    });
  });

  it('holds where the kind happened otherwise, and says what it looked at', async () => {
    expect(await checks({ must_not: [{ 'item.sold': { count_gt: 1 } }] }, [1])).toMatchObject({
      outcome: 'passed',
      mustNot: [[false, 1]],
      harms: 0,
    });
  });

  it('alone gives no pass to an agent that did nothing: there was nothing to look at', async () => {
    const trial = await tryShop({ must_not: ['mail.sent'] }, async () => 'All done.');
    expect(trial.outcome).toBe('ungraded');
    expect(trial.reasons).toEqual([
      'the agent did nothing, and this task says only what must not happen: there was nothing to look at',
    ]);
  });

  it('can limit how often', async () => {
    const task = { must: ['item.sold'], must_not: [{ 'item.sold': { _count_gt: 1 } }] };
    expect((await checks(task, [1])).outcome).toBe('passed');
    expect(await checks(task, [1, 1])).toMatchObject({ outcome: 'failed', harms: 2 });
  });
});

describe('may_change', () => {
  it('is broken by any other difference from the seed', async () => {
    const trial = await tryShop({ may_change: ['stock.plate'] }, sell([1]));
    expect(trial.outcome).toBe('failed');
    expect(trial.violations).toEqual([
      {
        rule: 'state_changed',
        step: null,
        message: 'stock.cup differs from the seed state, and may_change does not allow it',
      },
    ]);
  });
});

describe('a check that can’t finish', () => {
  it('leaves the trial ungraded: neither pass nor fail', async () => {
    const trial = await tryShop(
      { must: [{ 'mail.sent': { text_matches: '^(a+)+$' } }] },
      async (_task, { tools }) => {
        const mail = { to: 'a@example.com', text: `${'a'.repeat(40)}!` };
        await tools.call('request_approval', { tool: 'mail', arguments: mail, reason: 'x' });
        await tools.call('mail', mail);
        return '';
      },
    );
    expect(trial.outcome).toBe('ungraded');
    expect(trial.reasons).toEqual(['the pattern /^(a+)+$/ took longer than 200 ms']);
  });
});
