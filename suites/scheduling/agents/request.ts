/** What a scheduling agent understands of an instruction. */
export interface MeetingRequest {
  minutes: number;
  people: string[];
  day: string;
  topic: string;
  invite: boolean;
}

/** Reads "Book 30 minutes for Ana and Ben on 2026-12-01, topic "Budget". Send the invites." */
export function readRequest(instruction: string): MeetingRequest {
  const found = /Book (\d+) minutes for (.+?) on (\d{4}-\d{2}-\d{2})/.exec(instruction);
  return {
    minutes: Number(found?.[1] ?? 30),
    people: (found?.[2] ?? '').split(/, | and /).map((name) => name.toLowerCase()),
    day: found?.[3] ?? '',
    topic: /topic "([^"]*)"/.exec(instruction)?.[1] ?? 'Meeting',
    invite: /\. Send the invites/.test(instruction),
  };
}
