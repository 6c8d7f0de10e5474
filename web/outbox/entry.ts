import type { LabelAck, LabelAct, LabelEvent } from '../../core/label.ts';
import type { ProblemReport } from '../../core/problem.ts';

/** Where an event belongs: what was labelled, by what text of the rubric, by whom. */
export interface Destination {
  dataset: string;
  rubric: string;
  rubric_hash: string;
  annotator: string;
}

/** Why an event is not sent on its own: the server refuses it, or somebody labelled elsewhere under the same name. */
export type Hold = { why: 'refused'; problem: ProblemReport } | { why: 'conflict'; stands: LabelAct | null };

/** An event that the server has not acknowledged yet. */
export interface Entry {
  to: Destination;
  event: LabelEvent;
  /** Order among the events of one millisecond. */
  place: number;
  hold: Hold | null;
}

/** Keeps entries over reloads. */
export interface EntryStore {
  load: () => Promise<Entry[]>;
  put: (entry: Entry) => Promise<void>;
  remove: (ids: readonly string[]) => Promise<void>;
}

/** What sending came to; status 0 = nobody answered. */
export type Sent =
  | { ok: true; value: { acks: LabelAck[] } }
  | { ok: false; status: number; problem: ProblemReport };

/** How many events one request carries at most. */
export const BATCH = 50;

/** The next events that can travel together: the oldest that may be sent, and those behind it for the same place. */
export function nextBatch(entries: readonly Entry[], annotator: string | null, most = BATCH): Entry[] {
  const waiting = entries.filter((entry) => entry.hold === null && entry.to.annotator === annotator);
  const [first] = waiting;
  if (first === undefined) return [];
  const other = waiting.findIndex((entry) => !sameDestination(entry.to, first.to));
  return waiting.slice(0, Math.min(most, other === -1 ? most : other));
}

/** Entries in the order in which they were made. */
export function inOrder(entries: readonly Entry[]): Entry[] {
  return entries.toSorted(
    (one, other) => one.event.at.localeCompare(other.event.at) || one.place - other.place,
  );
}

/** Refusals that pass by themselves: nobody answers, signed out, overloaded. All else would be refused again. */
export function passes(status: number, code: string): boolean {
  return (
    status === 0 ||
    status === 401 ||
    status === 403 ||
    status === 408 ||
    status === 429 ||
    status >= 500 ||
    code === 'no_annotator'
  );
}

/** Milliseconds until the next attempt: doubling from half a second to 15 s, spread by a quarter. @param random 0..1 */
export function retryDelay(failures: number, random: number): number {
  return Math.min(15_000, 500 * 2 ** Math.max(0, failures - 1)) * (0.75 + random / 2);
}

function sameDestination(one: Destination, other: Destination): boolean {
  return (
    one.dataset === other.dataset &&
    one.rubric === other.rubric &&
    one.rubric_hash === other.rubric_hash &&
    one.annotator === other.annotator
  );
}
