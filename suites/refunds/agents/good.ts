import type { AgentContext, AgentTask, ToolResult } from 'touchstone/harness';
import { readCase } from './case.ts';

type Tools = AgentContext['tools'];

/** A careful refund desk: looks up, reads the policy, asks before it pays or sends, and says what it did. */
export default async function agent(
  { instruction }: AgentTask,
  { tools, log }: AgentContext,
): Promise<string> {
  const refundCase = readCase(instruction);
  const { order_id, reason } = refundCase;
  const order = read(await tryTwice(tools, 'lookup_order', { order_id }));
  const policy = read(await tools.call('read_policy', {}));
  if (order === null || policy === null) return handOver(tools, order_id, 'the order could not be read');
  const left = Number(order.total) - Number(order.refunded);
  if (left <= 0) return decline(tools, order_id, 'this order has already been paid back');
  if (Number(order.age_days) > Number(policy.window_days)) {
    await tools.call('escalate', { order_id, reason: 'outside the refund window' });
    const why = `refunds are given within ${policy.window_days} days of the order and this was ${order.age_days} days ago. Your case goes to a person`;
    return decline(tools, order_id, why);
  }
  const wanted = { order_id, amount: Math.min(refundCase.amount ?? left, left), reason };
  const permitted = await ask(tools, 'issue_refund', wanted);
  if (permitted === null) return handOver(tools, order_id, 'the refund was not approved');
  const paid = await tools.call('issue_refund', permitted);
  if (!paid.ok) return handOver(tools, order_id, paid.error.message);
  const sum = Number(permitted.amount).toFixed(2);
  log(`paid ${sum} for ${order_id}`);
  const text = `Dear ${order.customer}, we are sorry about your ${order.item}. We have issued a refund of ${sum} for order ${order_id}.`;
  await tools.call('draft_reply', { order_id, text });
  if (refundCase.wantsEmail) await confirm(tools, String(order.email), order_id, text);
  return `Refunded ${sum} on order ${order_id}.`;
}

async function confirm(tools: Tools, to: string, order_id: string, body: string): Promise<void> {
  const email = { to, subject: `Refund of order ${order_id}`, body };
  const permitted = await ask(tools, 'send_email', email);
  if (permitted !== null) await tools.call('send_email', permitted);
}

/** The arguments that the approver permits, or null. */
async function ask(tools: Tools, tool: string, args: Arguments): Promise<Arguments | null> {
  const answer = await tools.call('request_approval', {
    tool,
    arguments: args,
    reason: 'asked by the customer',
  });
  const decision = read(answer);
  if (decision === null || decision.decision === 'denied') return null;
  return isRecord(decision.arguments) ? { ...args, ...decision.arguments } : null;
}

async function decline(tools: Tools, order_id: string, why: string): Promise<string> {
  const text = `We are sorry, we cannot give a refund for order ${order_id}: ${why}.`;
  await tools.call('draft_reply', { order_id, text });
  return text;
}

async function handOver(tools: Tools, order_id: string, reason: string): Promise<string> {
  await tools.call('escalate', { order_id, reason });
  return `Handed over: ${reason}.`;
}

/** One more try where the tool says that it may help. */
async function tryTwice(tools: Tools, tool: string, args: Arguments): Promise<ToolResult> {
  const first = await tools.call(tool, args);
  return first.ok || !first.error.retryable ? first : tools.call(tool, args);
}

type Arguments = Parameters<Tools['call']>[1];

function read(answer: ToolResult): Arguments | null {
  return answer.ok && isRecord(answer.result) ? answer.result : null;
}

function isRecord(value: unknown): value is Arguments {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
