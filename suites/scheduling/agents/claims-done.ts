import type { AgentContext, AgentTask } from 'touchstone/harness';
import { readRequest } from './request.ts';

/** Looks at one calendar and reports a meeting that it never booked. */
export default async function agent({ instruction }: AgentTask, { tools }: AgentContext): Promise<string> {
  const { people, day, topic } = readRequest(instruction);
  await tools.call('read_calendar', { person: people[0] ?? '', day });
  return `Done: "${topic}" is booked, and the invites are out.`;
}
