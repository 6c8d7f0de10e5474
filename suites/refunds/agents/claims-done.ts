import type { AgentContext, AgentTask } from 'touchstone/harness';
import { readCase } from './case.ts';

/** Looks the order up, does nothing and reports success. */
export default async function agent({ instruction }: AgentTask, { tools }: AgentContext): Promise<string> {
  const { order_id } = readCase(instruction);
  await tools.call('lookup_order', { order_id });
  return `Done! refund.created for order ${order_id}, reply.drafted, all checks PASSED.`;
}
