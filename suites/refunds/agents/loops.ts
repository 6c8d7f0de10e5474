import type { AgentContext, AgentTask } from 'touchstone/harness';
import { readCase } from './case.ts';
import careful from './good.ts';

/** Reads the same two things over and over before it does the right thing: right at the end, at several times the cost. */
export default async function agent(task: AgentTask, context: AgentContext): Promise<string> {
  const { order_id } = readCase(task.instruction);
  for (let round = 0; round < 6; round++) {
    await context.tools.call('lookup_order', { order_id });
    await context.tools.call('read_policy', {});
  }
  return careful(task, context);
}
