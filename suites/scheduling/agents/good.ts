import type { AgentContext, AgentTask, ToolResult } from 'touchstone/harness';
import { type MeetingRequest, readRequest } from './request.ts';

type Tools = AgentContext['tools'];
type Fields = Parameters<Tools['call']>[1];

interface Span {
  start: string;
  end: string;
}

/** A careful assistant: reads every calendar, takes the first slot that all have, asks before it invites. */
export default async function agent({ instruction }: AgentTask, { tools }: AgentContext): Promise<string> {
  const request = readRequest(instruction);
  const addresses: string[] = [];
  const busy: Span[] = [];
  let hours: Span = { start: '09:00', end: '17:00' };
  for (const person of request.people) {
    const calendar = read(await tryTwice(tools, 'read_calendar', { person, day: request.day }));
    if (calendar === null) return report(tools, `The meeting is not booked: no calendar of ${person}.`);
    addresses.push(String(calendar.email));
    busy.push(...spans(calendar.busy));
    hours = spans([calendar.hours])[0] ?? hours;
  }
  const slot = firstSlot(request, busy, hours);
  if (slot === null) return report(tools, `The meeting is not booked: no common slot on ${request.day}.`);
  const meeting = { title: request.topic, attendees: request.people, ...slot };
  const booked = read(await tools.call('book_meeting', meeting));
  if (booked === null) return report(tools, 'The meeting is not booked: the calendar refused it.');
  if (!request.invite) return report(tools, `Booked for ${slot.start}.`);
  const invitation = { meeting_id: String(booked.meeting_id), to: addresses };
  const reason = `invitation to ${request.topic}`;
  const answer = await tools.call('request_approval', { tool: 'send_invite', arguments: invitation, reason });
  if (read(answer)?.decision !== 'approved') {
    return report(tools, `Booked for ${slot.start}; the invites did not go out: no approval.`);
  }
  await tools.call('send_invite', invitation);
  return report(tools, `Booked for ${slot.start} and invited ${addresses.join(', ')}.`);
}

/** The earliest start, in steps of half an hour, that lies in office hours and meets nobody's busy time. */
function firstSlot({ day, minutes }: MeetingRequest, busy: readonly Span[], hours: Span): Span | null {
  for (let at = minuteOf(hours.start); at + minutes <= minuteOf(hours.end); at += 30) {
    const slot = { start: `${day}T${clock(at)}`, end: `${day}T${clock(at + minutes)}` };
    if (!busy.some((one) => one.start < slot.end && slot.start < one.end)) return slot;
  }
  return null;
}

function minuteOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
}

function clock(minute: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}

async function report(tools: Tools, text: string): Promise<string> {
  await tools.call('report_back', { text });
  return text;
}

async function tryTwice(tools: Tools, tool: string, args: Fields): Promise<ToolResult> {
  const first = await tools.call(tool, args);
  return first.ok || !first.error.retryable ? first : tools.call(tool, args);
}

function read(answer: ToolResult): Fields | null {
  return answer.ok && isRecord(answer.result) ? answer.result : null;
}

function spans(value: unknown): Span[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isRecord).map(({ start, end }) => ({ start: String(start), end: String(end) }));
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
