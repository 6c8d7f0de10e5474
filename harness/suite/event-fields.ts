import type { z } from 'zod';
import { APPROVAL_EVENTS } from './approvals.ts';
import type { Tools } from './define-tools.ts';

/** The fields that an event kind carries, or null where no sandbox of these tools emits it. */
export function eventFields(tools: Tools, kind: string): z.ZodObject | null {
  if (Object.hasOwn(APPROVAL_EVENTS, kind)) return APPROVAL_EVENTS[kind] ?? null;
  return Object.hasOwn(tools.events, kind) ? (tools.events[kind]?.fields ?? null) : null;
}

/** Is this the whole name of a field of that event kind? */
export function isEventField(tools: Tools, kind: string, name: string): boolean {
  const fields = eventFields(tools, kind);
  return fields !== null && Object.hasOwn(fields.shape, name);
}
