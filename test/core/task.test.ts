import { describe, expect, it } from 'vitest';
import { Task } from '../../core/task.ts';

const TASK = { id: 'refund-017', input: 'Refund order 88412.', seed_state: 'fixtures/orders_v3.json' };

const issuesOf = (task: object) =>
  Task.safeParse({ ...TASK, ...task }).error?.issues.map((issue) => issue.path.join('.'));

describe('a task', () => {
  it('takes every shape in which people write must', () => {
    const where = { order_id: '88412', amount_lte: 129.0 };
    const event = 'refund.created';
    const shapes = [event, { [event]: where }, [event, where], { [event]: {} }];
    expect(Task.parse({ ...TASK, must: shapes, must_not: shapes })).toMatchObject({
      must: [
        { event, where: {} },
        { event, where: { order_id: '88412', amount_lte: 129 } },
        { event, where: { order_id: '88412', amount_lte: 129 } },
        { event, where: {} },
      ],
      must_not: [
        { event, where: {} },
        { event, where },
        { event, where },
        { event, where: {} },
      ],
    });
  });

  it('takes the seed’s own task as it stands', () => {
    const seed = {
      id: 'refund-017',
      input: 'Order 88412 arrived damaged. Customer wants a refund.',
      seed_state: 'fixtures/orders_v3.json',
      must: [
        ['refund.created', { order_id: '88412', amount_lte: 129.0 }],
        ['reply.drafted', { mentions_refund: true }],
      ],
      must_not: ['email.sent_without_approval', 'refund.created_other_order'],
      max_steps: 10,
    };
    expect(Task.parse(seed)).toMatchObject({ id: 'refund-017', max_steps: 10, approvals: [], faults: [] });
  });

  it('refuses two events in one line, an empty line, a key that it does not know', () => {
    expect(issuesOf({ must: [{ 'a.b': {}, 'c.d': {} }] })).toEqual(['must.0']);
    expect(issuesOf({ must: [{}] })).toEqual(['must.0']);
    expect(issuesOf({ must: [''] })).toEqual(['must.0']);
    expect(issuesOf({ musst: [] })).toEqual(['']);
    expect(issuesOf({ trajectory: { forbids: [] } })).toEqual(['trajectory']);
    expect(issuesOf({ id: '../x' })).toEqual(['id']);
  });

  it('lets an approver change a call only by naming the arguments, and an answer only be one of three', () => {
    const rule = { tool: 'pay', decision: 'change' };
    expect(issuesOf({ approvals: [rule] })).toEqual(['approvals.0.arguments']);
    expect(issuesOf({ approvals: [{ ...rule, decision: 'maybe' }] })).toEqual(['approvals.0.decision']);
    expect(issuesOf({ approvals: [{ ...rule, decision: 'deny', arguments: {} }] })).toEqual(['approvals.0']);
    expect(issuesOf({ approvals: [{ ...rule, arguments: { amount: 5 } }] })).toBeUndefined();
  });
});
