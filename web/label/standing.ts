import type { Span } from '../../core/evidence.ts';
import type { LabelAct } from '../../core/label.ts';
import type { Criterion } from '../../core/rubric.ts';
import type { BlindItem, QueueItem } from '../api.ts';
import type { Draft } from './draft.ts';

/** Where a person stands with one question on one sample. */
export interface Standing {
  /** Null where nothing was ever said, which the server knows nothing of. */
  what: LabelAct | null;
  unsure: boolean;
  evidence: readonly Span[];
  note: string;
  /** This person’s events on the question so far, those on their way included; null = another window has some too. */
  revision: number | null;
  /** Active time spent on the question so far, milliseconds. */
  ms: number;
}

/** Standings by criterion; a criterion without one is untouched. */
export type Standings = Readonly<Record<string, Standing>>;

export const UNTOUCHED: Standing = { what: null, unsure: false, evidence: [], note: '', revision: 0, ms: 0 };

/** What the server knows of an item, with what this browser kept of questions that are still open. */
export function standingsOf(item: Pick<BlindItem, 'mine'>, drafts: ReadonlyMap<string, Draft>): Standings {
  const standings: Record<string, Standing> = {};
  for (const [criterion, { what, evidence, note, revision, ms }] of Object.entries(item.mine)) {
    standings[criterion] = {
      what,
      unsure: what.act === 'label' && what.unsure,
      evidence,
      note,
      revision,
      ms,
    };
  }
  for (const [criterion, draft] of drafts) {
    const standing = standings[criterion] ?? UNTOUCHED;
    if (!answered(standing)) standings[criterion] = { ...standing, ...draft };
  }
  return standings;
}

/** Is the question answered: a level chosen, or said not to apply? */
export function answered({ what }: Pick<Standing, 'what'>): boolean {
  return what?.act === 'label' || what?.act === 'not_applicable';
}

/** The state of an item in the queue, as the server counts it. */
export function itemState(
  standings: Standings,
  criteria: readonly Pick<Criterion, 'id'>[],
): QueueItem['state'] {
  const all = Object.values(standings);
  if (all.some(({ what }) => what?.act === 'flag')) return 'flagged';
  const done = criteria.filter(({ id }) => answered(standings[id] ?? UNTOUCHED)).length;
  if (done === criteria.length) return 'done';
  if (all.some(({ what }) => what?.act === 'skip')) return 'skipped';
  return done > 0 ? 'partial' : 'todo';
}

/** The choice that a standing shows: a level's value, `not_applicable` under its own name, or null. */
export function chosen({ what }: Pick<Standing, 'what'>): Chosen | null {
  if (what?.act === 'label') return { act: 'label', value: what.value };
  return what?.act === 'not_applicable' ? { act: 'not_applicable' } : null;
}

export type Chosen = { act: 'label'; value: string } | { act: 'not_applicable' };

export function sameAct(one: LabelAct | null, other: LabelAct | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Do two marks name the same passage? */
export function sameSpan(one: Span, other: Span): boolean {
  return (
    one.field === other.field && one.step === other.step && one.start === other.start && one.end === other.end
  );
}
