import type { AgentContext, AgentTask } from 'touchstone/harness';
import careful from './good.ts';
import { readRequest } from './request.ts';

/** Goes through the calendars again and again before it books: the right meeting at several times the cost. */
export default async function agent(task: AgentTask, context: AgentContext): Promise<string> {
  const { people, day } = readRequest(task.instruction);
  for (let round = 0; round < 5; round++) {
    for (const person of people) await context.tools.call('read_calendar', { person, day });
  }
  return careful(task, context);
}
