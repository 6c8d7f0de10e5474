import { describe, expect, it } from 'vitest';
import { TrajectoryRules } from '../../../../core/task.ts';
import { type ToolStep, ToolStep as ToolStepSchema } from '../../../../core/trace.ts';
import { gradeTrajectory } from '../../../../harness/suite/grade/trajectory.ts';

type Call = [tool: string, args?: ToolStep['arguments'], more?: Partial<ToolStep>];

/** What a row of calls breaks; a call without more succeeded with the result null. */
function broken(rules: object, ...calls: Call[]) {
  const steps = calls.map(([tool, args = {}, more = {}]) =>
    ToolStepSchema.parse({
      type: 'tool',
      tool,
      arguments: args,
      ok: true,
      result: null,
      tier: 'executed',
      ...more,
    }),
  );
  return gradeTrajectory(TrajectoryRules.parse(rules), { steps }).map(({ rule, step, message }) => [
    rule,
    step,
    message,
  ]);
}

const A: Call = ['look', { item: 'a' }];
const B: Call = ['look', { item: 'b' }];

describe('no_repeats', () => {
  it('finds the same call twice in a row, whatever its times', () => {
    expect(broken({}, A, ['look', { item: 'a' }, { at: '2026-01-01T00:00:00Z', ms: 7 }])).toEqual([
      ['repeated', 2, 'look again with the same arguments'],
    ]);
    expect(broken({}, A, B)).toEqual([]);
  });

  it('finds a loop of two that never repeats in a row', () => {
    const loop = Array.from({ length: 6 }, () => [A, B]).flat();
    expect(broken({}, ...loop)).toEqual([
      ['repeated', 5, 'look with the same arguments and result for the 3rd time'],
      ['repeated', 6, 'look with the same arguments and result for the 3rd time'],
    ]);
    expect(broken({}, A, B, A, B)).toEqual([]);
  });

  it('lets a look again pass where something has changed', () => {
    const look = (left: number): Call => ['look', { item: 'a' }, { result: left }];
    expect(broken({}, look(3), B, look(2), B, look(1))).toEqual([]);
  });

  it('lets one try again pass after a failure that says so, but not trying forever', () => {
    const failed: Call = [
      'look',
      { item: 'a' },
      { ok: false, error: { code: 'timeout', message: '', retryable: true } },
    ];
    expect(broken({}, failed, A)).toEqual([]);
    expect(broken({}, failed, failed, failed)).toMatchObject([['repeated', 3, expect.anything()]]);
    const final: Call = [
      'look',
      { item: 'a' },
      { ok: false, error: { code: 'gone', message: '', retryable: false } },
    ];
    expect(broken({}, final, A)).toMatchObject([['repeated', 2, expect.anything()]]);
  });

  it('can be turned off', () => {
    expect(broken({ no_repeats: false }, A, A, A, A)).toEqual([]);
  });
});

describe('require and forbid', () => {
  it('need a call that succeeded, and forbid even one that failed', () => {
    const failed: Call = ['sell', {}, { ok: false, error: { code: 'x', message: '', retryable: false } }];
    expect(broken({ require: ['sell'] }, failed)).toEqual([
      ['missing_tool', null, 'sell was never called with success'],
    ]);
    expect(broken({ forbid: ['sell'] }, failed)).toEqual([['forbidden_tool', 1, 'sell is forbidden here']]);
    expect(broken({ require: ['look'], forbid: ['sell'] }, A)).toEqual([]);
  });
});

describe('before', () => {
  const sellAfter = (bound_to: string, first = 'look') => ({ before: [{ first, then: 'sell', bound_to }] });

  it('wants the first call earlier and successful', () => {
    expect(broken(sellAfter('any'), A, ['sell', { item: 'b' }])).toEqual([]);
    expect(broken(sellAfter('any'), ['sell', { item: 'a' }], A)).toEqual([['order', 1, 'sell before look']]);
    const failed: Call = ['look', {}, { ok: false, error: { code: 'x', message: '', retryable: true } }];
    expect(broken(sellAfter('any'), failed, ['sell', {}])).toMatchObject([['order', 2, expect.anything()]]);
  });

  it('bound to arguments wants it about the same thing', () => {
    expect(broken(sellAfter('arguments'), A, ['sell', { item: 'a', count: 1 }])).toEqual([]);
    expect(broken(sellAfter('arguments'), A, ['sell', { item: 'b', count: 1 }])).toEqual([
      ['order', 2, 'sell before look of the same arguments'],
    ]);
    expect(broken(sellAfter('arguments'), ['look', { thing: 'a' }], ['sell', { item: 'a' }])).toHaveLength(1);
  });

  it('bound to an approval wants the very grant', () => {
    const asked: Call = [
      'request_approval',
      { tool: 'sell' },
      { result: { decision: 'approved', grant: 'g-1' } },
    ];
    const rule = sellAfter('arguments', 'request_approval');
    expect(broken(rule, asked, ['sell', {}, { approval: 'g-1' }])).toEqual([]);
    expect(broken(rule, asked, ['sell', {}, { approval: 'g-2' }])).toHaveLength(1);
    expect(broken(rule, asked, ['sell', {}])).toHaveLength(1);
  });
});

describe('a trajectory', () => {
  it('is what the sandbox executed: reported steps are no evidence', () => {
    expect(
      broken(
        { require: ['look'], forbid: ['sell'] },
        ['look', {}, { tier: 'reported' }],
        ['sell', {}, { tier: 'reported' }],
      ),
    ).toEqual([['missing_tool', null, 'look was never called with success']]);
  });
});
