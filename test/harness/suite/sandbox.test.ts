import { describe, expect, it } from 'vitest';
import type { Agent, ToolResult } from '../../../harness/suite/agent.ts';
import { openShop, runShop, SEED, seller, tryShop } from './shop.ts';

/** What the agent was told for one call. */
async function answerTo(tool: string, args: object, task = {}): Promise<ToolResult | undefined> {
  let answer: ToolResult | undefined;
  await tryShop(task, async (_task, { tools }) => {
    answer = await tools.call(tool, { ...args });
    return '';
  });
  return answer;
}

const code = (answer: ToolResult | undefined) => (answer?.ok === false ? answer.error.code : 'ok');

describe('a tool call', () => {
  it('is carried out on the state and kept in the trace with its events', async () => {
    const trial = await tryShop({}, seller);
    expect(trial.end_state).toEqual({ stock: { cup: 2, plate: 10 }, mails: [] });
    expect(trial.trace.steps[1]).toMatchObject({
      type: 'tool',
      tool: 'sell',
      tier: 'executed',
      ok: true,
      events: [{ kind: 'item.sold', fields: { item: 'cup', count: 1 } }],
    });
  });

  it('of an unknown tool is refused and kept', async () => {
    expect(code(await answerTo('sell_all', {}))).toBe('unknown_tool');
    expect(code(await answerTo('constructor', {}))).toBe('unknown_tool');
    const trial = await tryShop({}, async (_task, { tools }) => {
      await tools.call('sell_all', { now: true });
      return '';
    });
    expect(trial.trace.steps[1]).toMatchObject({ tool: 'sell_all', arguments: { now: true }, ok: false });
    expect(trial.steps).toBe(1);
  });

  it('with arguments that the tool does not take is refused', async () => {
    expect(await answerTo('sell', { item: 'cup', count: 0.5 })).toMatchObject({
      ok: false,
      error: { code: 'invalid_arguments', message: 'count: Invalid input: expected int, received number' },
    });
    expect(code(await answerTo('sell', { item: 'cup', count: 1, discount: 1 }))).toBe('invalid_arguments');
  });

  it.each([
    ['a cycle', () => ({ self: {} })],
    [
      'a toJSON that throws',
      () => ({
        toJSON: () => {
          throw new Error('no');
        },
      }),
    ],
    ['a big integer', () => ({ count: 1n })],
    ['a list', () => [1]],
    ['nothing', () => undefined],
    ['5,000 levels', () => JSON.parse(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`)],
    ['2 MB', () => ({ text: 'x'.repeat(2_000_000) })],
  ])('with %s for arguments is the agent’s failure, not the sandbox’s', async (name, make) => {
    const args = make();
    if (name === 'a cycle') Object.assign(args ?? {}, { self: args });
    const trial = await tryShop({}, async (_task, { tools }) => {
      // As plain JavaScript would call it.
      return code(await Reflect.apply(tools.call, tools, ['look', args]));
    });
    expect(trial.artifacts.final).toBe('invalid_arguments');
    expect(trial.outcome).toBe('failed');
  });

  it('that the tool refuses changes nothing, even where the fake had begun to', async () => {
    const trial = await tryShop({}, async (_task, { tools }) => {
      await tools.call('sell', { item: 'cup', count: 4 });
      return '';
    });
    expect(trial.end_state).toEqual(SEED);
    expect(trial.trace.steps[1]).toMatchObject({ ok: false, error: { code: 'sold_out' }, events: [] });
  });

  it('runs after the calls before it, also where the agent does not wait', async () => {
    const trial = await tryShop({}, async (_task, { tools }) => {
      const answers = await Promise.all(
        [1, 1, 1, 1].map((count) => tools.call('sell', { item: 'cup', count })),
      );
      return answers.map((answer) => (answer.ok ? 'ok' : answer.error.code)).join();
    });
    expect(trial.artifacts.final).toBe('ok,ok,ok,sold_out');
  });

  it('meets the faults that the task seeds, at the call that it names', async () => {
    const trial = await tryShop(
      { faults: [{ tool: 'look', call: 2, error: 'rate_limited' }] },
      async (_task, { tools }) => {
        const answers = [];
        for (const item of ['cup', 'cup', 'plate']) answers.push(await tools.call('look', { item }));
        return answers.map(code).join();
      },
    );
    expect(trial.artifacts.final).toBe('ok,rate_limited,ok');
  });

  it('gives the agent a copy: what it does to a result reaches nobody', async () => {
    const trial = await tryShop({}, async (_task, { tools }) => {
      const answer = await tools.call('sell', { item: 'cup', count: 1 });
      if (answer.ok && typeof answer.result === 'object') Object.assign(answer.result ?? {}, { left: 99 });
      return '';
    });
    expect(trial.trace.steps[1]).toMatchObject({ result: { left: 2 } });
  });
});

describe('a trial', () => {
  it('begins with its own state and folder: what one leaves behind no other sees', async () => {
    const found: unknown[] = [];
    const sentinel: Agent = async (_task, { tools }) => {
      const stock = await tools.call('look', { item: 'cup' });
      const mark = await tools.call('leave_mark', {});
      await tools.call('sell', { item: 'cup', count: 3 });
      found.push([stock.ok && stock.result, mark.ok && mark.result]);
      return '';
    };
    const report = await runShop(openShop([{}, {}]), sentinel, { trials: 4, concurrency: 4 });
    expect(report.outcomes.passed).toBe(8);
    expect(found).toEqual(Array.from({ length: 8 }, () => [3, false]));
    expect(SEED).toEqual({ stock: { cup: 3, plate: 10 }, mails: [] });
  });

  it('tells the agent nothing of checks, tags or the task’s name', async () => {
    let told = '';
    await tryShop(
      { id: 'secret-id', tags: { answer: 'secret-tag' }, must: [{ 'item.sold': { item: 'secret-item' } }] },
      async (task) => {
        told = JSON.stringify(task);
        return '';
      },
    );
    expect(told).not.toContain('secret');
    expect(JSON.parse(told).tools.map((tool: { name: string }) => tool.name)).toEqual([
      'look',
      'sell',
      'mail',
      'broken',
      'hangs',
      'leave_mark',
      'request_approval',
    ]);
    expect(JSON.parse(told).tools[2]).toMatchObject({
      needs_approval: true,
      input_schema: { type: 'object', required: ['to', 'text'] },
    });
  });

  it('refuses calls after its end, and tells of them', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const late: string[] = [];
    let answer: ToolResult | undefined;
    let called = Promise.resolve();
    const report = await runShop(
      openShop([{}]),
      async (_task, { tools }) => {
        called = held.then(async () => {
          answer = await tools.call('sell', { item: 'cup', count: 1 });
        });
        return 'I will do it later.';
      },
      { onEvent: (event) => event.type === 'late_call' && late.push(event.tool) },
    );
    release();
    await called;
    expect(code(answer)).toBe('trial_ended');
    expect(late).toEqual(['sell']);
    expect(report.trials[0]).toMatchObject({ outcome: 'failed', steps: 0 });
  });

  it('is errored where the sandbox breaks, whatever the agent makes of it', async () => {
    const trial = await tryShop({}, async (task, context) => {
      await context.tools.call('broken', {});
      return seller(task, context);
    });
    expect(trial).toMatchObject({
      outcome: 'errored',
      error: "the sandbox's broken broke: the fake broke",
      end_state: SEED,
    });
  });

  it('is errored where a tool hangs, and failed where the agent does', async () => {
    const limits = { limits: { steps: 10, seconds: 0.05 } };
    const hung = await tryShop(
      { max_steps: 10 },
      async (_task, { tools }) => {
        await tools.call('hangs', {});
        return '';
      },
      limits,
    );
    expect(hung).toMatchObject({
      outcome: 'errored',
      error: 'hangs of the sandbox did not answer within 0.05 s',
    });
    const thinking = await tryShop({ max_steps: 10 }, () => new Promise(() => {}), limits);
    expect(thinking.outcome).toBe('failed');
    expect(thinking.violations).toEqual([{ rule: 'too_slow', step: null, message: 'not done after 0.05 s' }]);
  });

  it('fails with the reason where the agent throws or returns no final', async () => {
    const threw = await tryShop({}, async () => {
      throw new Error('no idea');
    });
    expect(threw.reasons).toContain('the agent threw: no idea');
    const odd: unknown = { output: 7 };
    const returned = await tryShop({}, async () => odd as { output: string });
    expect(returned.reasons).toContain(
      'the agent returned no final: output Invalid input: expected string, received number',
    );
  });

  it('is stopped at the suite’s step limit, and the signal tells the agent', async () => {
    let aborted = false;
    const trial = await tryShop(
      { max_steps: 3, trajectory: { no_repeats: false } },
      async (_task, { tools, signal }) => {
        signal.addEventListener('abort', () => {
          aborted = true;
        });
        // It never looks at the signal: the harness has to get away from it by itself.
        for (;;) await tools.call('look', { item: 'cup' });
      },
      { limits: { steps: 5, seconds: 10 } },
    );
    expect(trial).toMatchObject({
      outcome: 'failed',
      violations: [{ rule: 'too_many_steps', step: 5, message: '6 tool calls, the budget is 3' }],
    });
    expect(trial.trace.steps.at(-1)).toMatchObject({ error: { code: 'step_limit' } });
    expect(aborted).toBe(true);
  });

  it('keeps the agent’s own account as reported, and counts what it says that it used', async () => {
    const trial = await tryShop({}, async (task, context) => {
      context.log('thinking');
      await seller(task, context);
      return { output: 'Sold.', usage: { input: 10, output: 5 }, cost_usd: 0.25, model: 'm-1' };
    });
    expect(trial.trace.steps.map((step) => [step.type, step.tier])).toEqual([
      ['message', 'executed'],
      ['message', 'reported'],
      ['tool', 'executed'],
      ['message', 'reported'],
      ['model', 'reported'],
    ]);
    expect(trial).toMatchObject({ cost_usd: 0.25, usage: { input: 10, output: 5 } });
  });

  it('fails above the cost limit by the agent’s own report', async () => {
    const spender: Agent = async (task, context) => {
      await seller(task, context);
      return { cost_usd: 2 };
    };
    const trial = await tryShop({}, spender, { limits: { cost_usd: 1 } });
    expect(trial.violations).toMatchObject([{ rule: 'too_costly' }]);
  });
});
