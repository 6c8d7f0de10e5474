import { SvelteMap } from 'svelte/reactivity';
import type { LabelEvent } from '../../core/label.ts';
import type { Criterion } from '../../core/rubric.ts';
import type { BlindItem, Queue, QueueItem } from '../api.ts';
import type { Draft } from './draft.ts';
import { type Act, type Change, History } from './history.ts';
import {
  answered,
  itemState,
  type Standing,
  type Standings,
  sameAct,
  standingsOf,
  UNTOUCHED,
} from './standing.ts';

export interface AnswersOptions {
  queue: Pick<Queue, 'items' | 'rubric'>;
  /** Takes an event on its way; returns at once. */
  record: (event: LabelEvent) => void;
  /** What this browser kept, by `sample/criterion`. */
  drafts: ReadonlyMap<string, Draft>;
  keepDraft: (question: string, draft: Draft | null) => void;
  now: () => Date;
  newId: () => string;
}

/** What a person says of one question; what is left out stays as it stands. */
export interface Saying {
  criterion: string;
  said: Partial<Pick<Standing, 'what' | 'unsure' | 'evidence' | 'note'>>;
}

/** The longest time that an event tells. */
const LONGEST_MS = 86_400_000;

/** Where a person stands with every question of a queue; each act becomes events, and can be taken back. */
export class Answers {
  /** One state a sample, in the order of the queue. */
  states: readonly QueueItem['state'][] = $state.raw([]);
  readonly #options: AnswersOptions;
  readonly #criteria: readonly Criterion[];
  readonly #places: ReadonlyMap<string, number>;
  readonly #standings = new SvelteMap<string, Standings>();
  readonly #sides = new Map<string, BlindItem['side']>();
  readonly #history = new History();

  constructor(options: AnswersOptions) {
    const { items, rubric } = options.queue;
    this.#options = options;
    this.#criteria = rubric.criteria;
    this.states = items.map((item) => item.state);
    this.#places = new Map(items.map((item, place) => [item.sample, place]));
  }

  standing(sample: string, criterion: string): Standing {
    return this.#standings.get(sample)?.[criterion] ?? UNTOUCHED;
  }

  /** The criteria of a sample that have no answer yet. */
  open(sample: string): Criterion[] {
    return this.#criteria.filter(({ id }) => !answered(this.standing(sample, id)));
  }

  flagged(sample: string): boolean {
    return this.#criteria.some(({ id }) => this.standing(sample, id).what?.act === 'flag');
  }

  state(sample: string): QueueItem['state'] | undefined {
    return this.states[this.#places.get(sample) ?? -1];
  }

  count(state: QueueItem['state']): number {
    return this.states.filter((one) => one === state).length;
  }

  /** Takes up what the server has of a sample, and what this browser kept of its open questions. */
  arrived({ sample, mine, side }: BlindItem): void {
    const { drafts } = this.#options;
    const kept = this.#criteria.flatMap(({ id }) => {
      const draft = drafts.get(`${sample}/${id}`);
      return draft === undefined ? [] : [[id, draft] as const];
    });
    this.#sides.set(sample, side);
    this.#standings.set(sample, standingsOf({ mine }, new Map(kept)));
    this.#settle(sample);
  }

  /** Lets go what is known of a sample: it will arrive anew. */
  forget(sample: string): void {
    this.#standings.delete(sample);
  }

  /** Another window has events on this question, too: what comes next builds on whatever stands. */
  forgetRevision(sample: string, criterion: string): void {
    const standings = this.#standings.get(sample);
    const standing = standings?.[criterion];
    if (standing === undefined) return;
    this.#standings.set(sample, { ...standings, [criterion]: { ...standing, revision: null } });
  }

  /** One act on a sample. @param ms the active time that led to it; it counts for the first question. */
  say(sample: string, sayings: readonly Saying[], ms: number): void {
    this.#history.record(
      sayings.map(({ criterion, said }, index) => this.#apply(sample, criterion, said, index === 0 ? ms : 0)),
    );
    this.#settle(sample);
  }

  /** Takes the last act back, or does again what was taken back last. @returns it, or null where there is none. */
  replay(how: 'undo' | 'redo'): Act | null {
    const act = how === 'undo' ? this.#history.undo() : this.#history.redo();
    for (const { sample, criterion, before, after } of act ?? []) {
      const { what, unsure, evidence, note } = how === 'undo' ? before : after;
      this.#apply(sample, criterion, { what, unsure, evidence, note }, 0);
    }
    const [first] = act ?? [];
    if (first !== undefined) this.#settle(first.sample);
    return act;
  }

  /** Makes something stand, and sends it where it says more than was ever sent. */
  #apply(sample: string, criterion: string, said: Saying['said'], taken: number): Change {
    const before = this.standing(sample, criterion);
    const { what: wanted, unsure, evidence, note } = { ...before, ...said };
    // Nothing, where something was said before, is to take it back.
    const what = wanted ?? (before.revision === 0 ? null : { act: 'clear' as const });
    const ms = Math.min(LONGEST_MS, before.ms + taken);
    const after: Standing = { what, unsure, evidence, note, ms, revision: before.revision };
    const only = !answered(after) && what?.act !== 'flag' && sameAct(what, before.what);
    if (what !== null && !only) {
      const { now, newId, record } = this.#options;
      const at = now().toISOString();
      const order = this.#sides.get(sample) ?? null;
      record({
        id: newId(),
        sample,
        criterion,
        what,
        evidence: [...evidence],
        note,
        ms,
        base: before.revision,
        at,
        order,
      });
      after.revision = before.revision === null ? null : before.revision + 1;
    }
    this.#standings.set(sample, { ...this.#standings.get(sample), [criterion]: after });
    this.#keep(`${sample}/${criterion}`, after);
    return { sample, criterion, before, after };
  }

  /** Marks and notes without an answer are no event: this browser keeps them until there is one. */
  #keep(question: string, standing: Standing): void {
    const { unsure, evidence, note } = standing;
    const open = !answered(standing) && (note !== '' || unsure || evidence.length > 0);
    this.#options.keepDraft(question, open ? { evidence: [...evidence], note, unsure } : null);
  }

  #settle(sample: string): void {
    const place = this.#places.get(sample);
    if (place === undefined) return;
    this.states = this.states.with(place, itemState(this.#standings.get(sample) ?? {}, this.#criteria));
  }
}
