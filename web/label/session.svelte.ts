import { SvelteMap } from 'svelte/reactivity';
import type { Span } from '../../core/evidence.ts';
import type { LabelAct, LabelEvent } from '../../core/label.ts';
import type { ProblemReport } from '../../core/problem.ts';
import type { Criterion } from '../../core/rubric.ts';
import type { Answer, BlindItem, Queue, QueueItem } from '../api.ts';
import { ActiveTime } from './active-time.ts';
import { type Choice, choicesOf, sameChoice } from './choices.ts';
import type { Draft } from './draft.ts';
import { type Act, History } from './history.ts';
import { timeLeft } from './pace.ts';
import { nextOpen, upcoming } from './route.ts';
import { Shelf } from './shelf.svelte.ts';
import {
  answered,
  type Chosen,
  chosen,
  itemState,
  type Standing,
  type Standings,
  standingsOf,
  UNTOUCHED,
} from './standing.ts';

export interface SessionOptions {
  queue: Queue;
  fetch: (sample: string) => Promise<Answer<BlindItem>>;
  /** Takes an event on its way; returns at once. */
  record: (event: LabelEvent) => void;
  /** What this browser kept, by `sample/criterion`. */
  drafts: ReadonlyMap<string, Draft>;
  keepDraft: (question: string, draft: Draft | null) => void;
  now: () => Date;
  /** Milliseconds from any start, never falling. */
  elapsed: () => number;
  newId: () => string;
  /** Called with each sample that is gone to; null at the end. */
  moved: (sample: string | null) => void;
  later: (ms: number, run: () => void) => () => void;
}

/** Milliseconds between the last answer by key and the next sample: time to see what was chosen. */
export const PAUSE = 350;

/** Samples that are fetched ahead. */
const AHEAD = 3;
const LONGEST_MS = 86_400_000;
/** The longest quote and the most marks that a label takes. */
const LONGEST_QUOTE = 20_000;
const MOST_MARKS = 50;

type Said = Pick<Standing, 'what' | 'unsure' | 'evidence' | 'note'>;

/** One person's way through a queue: what stands, what is shown, what is sent. Draws nothing and asks no server itself. */
export class LabelSession {
  readonly criteria: readonly Criterion[];
  readonly order: readonly string[];
  readonly time: ActiveTime;
  states: readonly QueueItem['state'][] = $state.raw([]);
  /** Place in the order; null at the end. */
  index = $state<number | null>(null);
  /** The criterion that keys act on. */
  active = $state(0);
  /** What has just happened, for those who listen. */
  news = $state('');
  /** Active milliseconds of each sample that was finished here. */
  times: readonly number[] = $state.raw([]);

  readonly #options: SessionOptions;
  readonly #shelf: Shelf;
  readonly #standings = new SvelteMap<string, Standings>();
  readonly #history = new History();
  readonly #spent = new Map<string, number>();
  #round: 'open' | 'skipped' = 'open';
  #cancelMove = () => {};

  constructor(options: SessionOptions) {
    const { queue, fetch, later } = options;
    this.#options = options;
    this.criteria = queue.rubric.criteria;
    this.order = queue.items.map((item) => item.sample);
    this.states = queue.items.map((item) => item.state);
    this.time = new ActiveTime(options.elapsed());
    this.#shelf = new Shelf({ fetch, later, arrived: (item) => this.#arrived(item) });
  }

  /** The sample at hand; null at the end. */
  get sample(): string | null {
    return this.index === null ? null : (this.order[this.index] ?? null);
  }

  /** What there is to judge; null while it is fetched. */
  get item(): BlindItem | null {
    return this.sample === null ? null : this.#shelf.item(this.sample);
  }

  get problem(): ProblemReport | null {
    return this.sample === null ? null : this.#shelf.problem(this.sample);
  }

  get criterion(): Criterion | undefined {
    return this.criteria[this.active];
  }

  get flagged(): boolean {
    return Object.values(this.#here).some(({ what }) => what?.act === 'flag');
  }

  /** The criteria that have no answer yet. */
  get open(): readonly Criterion[] {
    return this.criteria.filter(({ id }) => !answered(this.standing(id)));
  }

  get done(): number {
    return this.count('done') + this.count('flagged');
  }

  get left(): number {
    return this.count('todo') + this.count('partial');
  }

  /** Milliseconds to the end, as far as it can be guessed. */
  get timeLeft(): number | null {
    return timeLeft(this.times, this.left);
  }

  count(state: QueueItem['state']): number {
    return this.states.filter((one) => one === state).length;
  }

  standing(criterion: string): Standing {
    return this.#here[criterion] ?? UNTOUCHED;
  }

  choices(criterion: Criterion): Choice[] {
    return choicesOf(criterion, this.item?.side ?? null);
  }

  /** Goes to a sample by its id; without a known one, to the first that is open, else to the end. */
  start(sample: string | null): void {
    const at = sample === null ? -1 : this.order.indexOf(sample);
    this.#go(at === -1 ? nextOpen(this.states, -1, 'open') : at);
  }

  /** Leaves the room: what was about to move on stays. */
  close(): void {
    this.#cancelMove();
  }

  /** Begins a round over what was skipped. */
  startSkipped(): void {
    this.#round = 'skipped';
    this.#go(nextOpen(this.states, -1, 'skipped'));
  }

  /** The neighbour in order, whatever its state. */
  step(by: 1 | -1): void {
    const to = this.index === null ? (by === -1 ? this.order.length - 1 : null) : this.index + by;
    if (to === null || to < 0 || to >= this.order.length)
      this.#say(by === 1 ? 'This is the last sample.' : 'This is the first sample.');
    else this.#go(to);
  }

  /** Goes on where every question is answered; else says which is open. What was chosen is on its way already. */
  save(): void {
    if (this.item === null) return;
    const [open] = this.open;
    if (open === undefined || this.flagged) {
      this.#advance();
      return;
    }
    this.active = this.criteria.indexOf(open);
    this.#say(`Still open: ${open.question} Press s to skip the sample.`);
  }

  /** Chooses by key on the active criterion; the last answer that was missing moves on after a pause. */
  chooseKey(key: string): void {
    const criterion = this.criterion;
    if (criterion === undefined || this.item === null) return;
    const choice = this.choices(criterion).find((one) => one.key === key);
    if (choice === undefined) {
      this.#say(`No level has the key ${key}.`);
      return;
    }
    const last = this.active === this.criteria.length - 1;
    this.choose(criterion.id, choice, true);
    if (last && this.open.length === 0) this.#cancelMove = this.#options.later(PAUSE, () => this.#advance());
  }

  /**
   * Chooses one answer. @param goOn makes the next criterion active, or after the last one the first that is open; it is
   * false for a choice by a radio's own keys, whose focus must stay.
   */
  choose(id: string, choice: Choice, goOn: boolean): void {
    const at = this.criteria.findIndex((criterion) => criterion.id === id);
    if (this.item === null || at === -1) return;
    const standing = this.standing(id);
    if (!sameChoice(chosen(standing), choice.chosen)) {
      const cleared = this.flagged
        ? this.criteria
            .filter((criterion) => criterion.id !== id)
            .map((criterion) => this.#change(criterion.id, { what: { act: 'clear' } }))
        : [];
      this.#act([this.#change(id, { what: actOf(choice.chosen, standing.unsure) }), ...cleared]);
    }
    this.#cancelMove();
    this.#say(`${choice.name}.`);
    if (!goOn) return;
    const [open] = this.open;
    if (at < this.criteria.length - 1) this.active = at + 1;
    else if (open !== undefined) this.active = this.criteria.indexOf(open);
  }

  toggleUnsure(id = this.criterion?.id): void {
    if (id === undefined || this.item === null) return;
    const { what, unsure } = this.standing(id);
    if (what?.act === 'not_applicable') {
      this.#say('Unsure goes with a level.');
      return;
    }
    const now = !unsure;
    this.#edit(id, { unsure: now, ...(what?.act === 'label' && { what: { ...what, unsure: now } }) });
    this.#say(now ? 'Unsure.' : 'Sure.');
  }

  /** Not now: open questions are put off, and the next sample comes. */
  skip(): void {
    if (this.item === null) return;
    if (!this.flagged && this.open.length > 0)
      this.#act(this.open.map(({ id }) => this.#change(id, { what: { act: 'skip' } })));
    this.#advance();
  }

  /** This sample is broken; again: it isn't. */
  toggleFlag(): void {
    if (this.item === null) return;
    const what: LabelAct = this.flagged ? { act: 'clear' } : { act: 'flag' };
    this.#act(this.criteria.map(({ id }) => this.#change(id, { what })));
    this.#say(what.act === 'flag' ? 'Flagged as broken.' : 'No longer flagged.');
  }

  setNote(id: string, note: string): void {
    if (this.item !== null && note !== this.standing(id).note) this.#edit(id, { note });
  }

  addEvidence(span: Span): void {
    const id = this.criterion?.id;
    if (id === undefined || this.item === null) return;
    const { evidence } = this.standing(id);
    if (span.quote.length > LONGEST_QUOTE || evidence.length >= MOST_MARKS) {
      this.#say(
        evidence.length >= MOST_MARKS
          ? `At most ${MOST_MARKS} marks.`
          : `A mark holds at most ${LONGEST_QUOTE} characters.`,
      );
      return;
    }
    const known = evidence.some(
      (one) =>
        one.field === span.field &&
        one.step === span.step &&
        one.start === span.start &&
        one.end === span.end,
    );
    if (!known) this.#edit(id, { evidence: [...evidence, span] });
    this.#say('Marked.');
  }

  removeEvidence(id: string, at: number): void {
    this.#edit(id, { evidence: this.standing(id).evidence.filter((_, index) => index !== at) });
    this.#say('Mark removed.');
  }

  undo(): void {
    this.#replay(this.#history.undo(), 'before', 'Taken back.', 'There is nothing to take back.');
  }

  redo(): void {
    this.#replay(this.#history.redo(), 'after', 'Done again.', 'There is nothing to do again.');
  }

  /** Another window has events on this question, too: what comes next builds on whatever stands. */
  forgetRevision(sample: string, criterion: string): void {
    const standings = this.#standings.get(sample);
    const standing = standings?.[criterion];
    if (standing !== undefined)
      this.#standings.set(sample, { ...standings, [criterion]: { ...standing, revision: null } });
  }

  /** Shows a sample as the server has it: the person takes what stands there. */
  refetch(sample: string): void {
    this.#standings.delete(sample);
    this.#shelf.forget(sample);
    if (this.sample === sample) this.#shelf.want([sample]);
  }

  get #here(): Standings {
    return this.sample === null ? {} : (this.#standings.get(this.sample) ?? {});
  }

  #arrived(item: BlindItem): void {
    const drafts = new Map(
      this.criteria.flatMap(({ id }) => {
        const draft = this.#options.drafts.get(`${item.sample}/${id}`);
        return draft === undefined ? [] : [[id, draft] as const];
      }),
    );
    this.#standings.set(item.sample, standingsOf(item, drafts));
    this.#setState(item.sample);
    if (item.sample === this.sample) this.#activate();
  }

  #go(index: number | null): void {
    this.#cancelMove();
    this.#note();
    this.time.take(this.#options.elapsed());
    this.index = index;
    const { sample } = this;
    this.#options.moved(sample);
    if (index === null || sample === null) {
      this.#say('That was the last one.');
      return;
    }
    this.#activate();
    this.#say(`Sample ${index + 1} of ${this.order.length}.`);
    const ahead = upcoming(this.states, index, AHEAD).flatMap((at) => this.order[at] ?? []);
    this.#shelf.want([sample, ...ahead]);
  }

  #activate(): void {
    const [open] = this.open;
    this.active = open === undefined ? 0 : this.criteria.indexOf(open);
  }

  #advance(): void {
    this.#go(nextOpen(this.states, this.index ?? -1, this.#round));
  }

  /** Takes down how long the finished samples took. */
  #note(): void {
    const finished = [...this.#spent].filter(
      ([sample]) => this.states[this.order.indexOf(sample)] === 'done',
    );
    this.times = finished.map(([, ms]) => ms);
  }

  #change(criterion: string, said: Partial<Said>) {
    return { criterion, said: { ...this.standing(criterion), ...said } };
  }

  /** Something that is no answer by itself: kept in the browser until there is one. */
  #edit(criterion: string, said: Partial<Said>): void {
    this.#act([this.#change(criterion, said)]);
  }

  #act(changes: readonly { criterion: string; said: Said }[]): void {
    const { sample } = this;
    if (sample === null) return;
    this.#cancelMove();
    this.#history.record(changes.map(({ criterion, said }) => this.#apply(sample, criterion, said)));
    this.#setState(sample);
  }

  #replay(act: Act | null, which: 'before' | 'after', told: string, nothing: string): void {
    this.#cancelMove();
    const [first] = act ?? [];
    if (act === null || first === undefined) {
      this.#say(nothing);
      return;
    }
    const at = this.order.indexOf(first.sample);
    if (at !== this.index) this.#go(at);
    for (const change of act) this.#apply(change.sample, change.criterion, change[which]);
    this.#setState(first.sample);
    this.active = Math.max(
      0,
      this.criteria.findIndex((criterion) => criterion.id === first.criterion),
    );
    this.#say(told);
  }

  /** Makes something stand, and sends it where it says more than was ever sent. */
  #apply(sample: string, criterion: string, said: Said): Act[number] {
    const before = this.#standings.get(sample)?.[criterion] ?? UNTOUCHED;
    const taken = this.time.take(this.#options.elapsed());
    this.#spent.set(sample, (this.#spent.get(sample) ?? 0) + taken);
    const ms = Math.min(LONGEST_MS, before.ms + taken);
    const { unsure, evidence, note } = said;
    const known = before.revision !== 0;
    const what = said.what ?? (known ? { act: 'clear' as const } : null);
    const edit = sameAct(what, before.what) && !answered({ what }) && what?.act !== 'flag';
    const after: Standing = { what, unsure, evidence, note, ms, revision: before.revision };
    if (what !== null && !edit) {
      const { now, newId, record } = this.#options;
      const order = this.#shelf.item(sample)?.side ?? null;
      record({
        id: newId(),
        sample,
        criterion,
        what,
        evidence: [...evidence],
        note,
        ms,
        base: before.revision,
        at: now().toISOString(),
        order,
      });
      after.revision = before.revision === null ? null : before.revision + 1;
    }
    this.#standings.set(sample, { ...this.#standings.get(sample), [criterion]: after });
    const open = !answered(after) && (note !== '' || unsure || evidence.length > 0);
    this.#options.keepDraft(
      `${sample}/${criterion}`,
      open ? { evidence: [...evidence], note, unsure } : null,
    );
    return { sample, criterion, before, after };
  }

  #setState(sample: string): void {
    const state = itemState(this.#standings.get(sample) ?? {}, this.criteria);
    this.states = this.states.map((one, index) => (this.order[index] === sample ? state : one));
  }

  #say(news: string): void {
    this.news = news;
  }
}

function actOf(choice: Chosen, unsure: boolean): LabelAct {
  return choice.act === 'label' ? { act: 'label', value: choice.value, unsure } : { act: 'not_applicable' };
}

function sameAct(one: LabelAct | null, other: LabelAct | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
