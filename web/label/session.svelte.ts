import type { Span } from '../../core/evidence.ts';
import type { LabelAct } from '../../core/label.ts';
import type { Criterion } from '../../core/rubric.ts';
import type { Answer, BlindItem, Queue, QueueItem } from '../api.ts';
import { ActiveTime } from './active-time.ts';
import { Answers, type AnswersOptions, type Saying } from './answers.svelte.ts';
import { type Choice, choicesOf, sameChoice } from './choices.ts';
import { timeLeft } from './pace.ts';
import { type Chosen, chosen, type Standing, sameSpan } from './standing.ts';
import { Way } from './way.svelte.ts';

export interface SessionOptions extends AnswersOptions {
  queue: Queue;
  fetch: (sample: string) => Promise<Answer<BlindItem>>;
  /** Milliseconds from any start, never falling. */
  elapsed: () => number;
  /** Called with each sample that is gone to; null at the end. */
  moved: (sample: string | null) => void;
  later: (ms: number, run: () => void) => () => void;
}

/** Milliseconds between the last answer by key and the next sample: time to see what was chosen. */
export const PAUSE = 350;

/** The longest quote and the most marks that a label takes. */
const LONGEST_QUOTE = 20_000;
const MOST_MARKS = 50;

/** One person's way through a queue: what is in sight, what keys act on, what comes next. Asks no server itself. */
export class LabelSession {
  readonly criteria: readonly Criterion[];
  readonly time: ActiveTime;
  readonly way: Way;
  /** The criterion that keys act on. */
  active = $state(0);
  /** What has just happened, for those who listen. */
  news = $state('');
  /** Active milliseconds of each sample that was finished here. */
  times: readonly number[] = $state.raw([]);

  readonly #options: SessionOptions;
  readonly #answers: Answers;
  readonly #spent = new Map<string, number>();
  #cancelMove = () => {};

  constructor(options: SessionOptions) {
    const { queue, fetch, later, moved } = options;
    this.#options = options;
    this.criteria = queue.rubric.criteria;
    this.time = new ActiveTime(options.elapsed());
    this.#answers = new Answers(options);
    this.way = new Way({
      order: queue.items.map((item) => item.sample),
      states: () => this.states,
      leaving: () => this.#leave(),
      moved: (sample) => {
        this.#arrive(sample);
        moved(sample);
      },
      fetch,
      later,
      arrived: (item) => {
        this.#answers.arrived(item);
        if (item.sample === this.sample) this.#activate();
      },
    });
  }

  /** The sample at hand; null at the end. */
  get sample(): string | null {
    return this.way.sample;
  }

  /** What there is to judge; null while it is fetched. */
  get item(): BlindItem | null {
    return this.way.item;
  }

  get criterion(): Criterion | undefined {
    return this.criteria[this.active];
  }

  get flagged(): boolean {
    return this.#answers.flagged(this.sample ?? '');
  }

  /** The criteria that have no answer yet. */
  get open(): readonly Criterion[] {
    return this.#answers.open(this.sample ?? '');
  }

  get states(): readonly QueueItem['state'][] {
    return this.#answers.states;
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
    return this.#answers.count(state);
  }

  standing(criterion: string): Standing {
    return this.#answers.standing(this.sample ?? '', criterion);
  }

  choices(criterion: Criterion): Choice[] {
    return choicesOf(criterion, this.item?.side ?? null);
  }

  /** Leaves the room: what was about to move on stays. */
  close(): void {
    this.#cancelMove();
  }

  /** The neighbour in order, whatever its state. */
  step(by: 1 | -1): void {
    if (!this.way.step(by)) this.news = by === 1 ? 'This is the last sample.' : 'This is the first sample.';
  }

  /** Goes on where every question is answered; else says which is open. What was chosen is on its way already. */
  save(): void {
    if (this.item === null) return;
    const [open] = this.open;
    if (open === undefined || this.flagged) {
      this.way.advance();
      return;
    }
    this.active = this.criteria.indexOf(open);
    this.news = `Still open: ${open.question} Press s to skip the sample.`;
  }

  /** Chooses by key on the active criterion; the last answer that was missing moves on after a pause. */
  chooseKey(key: string): void {
    const { criterion } = this;
    if (criterion === undefined || this.item === null) return;
    const choice = this.choices(criterion).find((one) => one.key === key);
    if (choice === undefined) {
      this.news = `No level has the key ${key}.`;
      return;
    }
    const last = this.active === this.criteria.length - 1;
    this.choose(criterion.id, choice, true);
    if (last && this.open.length === 0)
      this.#cancelMove = this.#options.later(PAUSE, () => this.way.advance());
  }

  /**
   * Chooses one answer. @param goOn makes the next criterion active, or after the last one the first that is open; it is
   * false for a choice by a radio's own keys, whose focus must stay.
   */
  choose(id: string, choice: Choice, goOn: boolean): void {
    const at = this.criteria.findIndex((criterion) => criterion.id === id);
    if (this.item === null || at === -1) return;
    this.#cancelMove();
    const standing = this.standing(id);
    if (!sameChoice(chosen(standing), choice.chosen)) {
      // An answer says that the sample is not broken after all.
      const others = this.flagged ? this.criteria.filter((criterion) => criterion.id !== id) : [];
      const cleared = others.map((criterion) => ({
        criterion: criterion.id,
        said: { what: { act: 'clear' as const } },
      }));
      this.#act([{ criterion: id, said: { what: actOf(choice.chosen, standing.unsure) } }, ...cleared]);
    }
    this.news = `${choice.name}.`;
    if (!goOn) return;
    const [open] = this.open;
    if (at < this.criteria.length - 1) this.active = at + 1;
    else if (open !== undefined) this.active = this.criteria.indexOf(open);
  }

  toggleUnsure(id = this.criterion?.id): void {
    if (id === undefined || this.item === null) return;
    const { what, unsure } = this.standing(id);
    if (what?.act === 'not_applicable') {
      this.news = 'Unsure goes with a level.';
      return;
    }
    const now = !unsure;
    this.#act([
      {
        criterion: id,
        said: { unsure: now, ...(what?.act === 'label' && { what: { ...what, unsure: now } }) },
      },
    ]);
    this.news = now ? 'Unsure.' : 'Sure.';
  }

  /** Not now: open questions are put off, and the next sample comes. */
  skip(): void {
    if (this.item === null) return;
    const put = this.flagged
      ? []
      : this.open.map(({ id }) => ({ criterion: id, said: { what: { act: 'skip' as const } } }));
    if (put.length > 0) this.#act(put);
    this.way.advance();
  }

  /** This sample is broken; again: it isn't. */
  toggleFlag(): void {
    if (this.item === null) return;
    const what: LabelAct = this.flagged ? { act: 'clear' } : { act: 'flag' };
    this.#act(this.criteria.map(({ id }) => ({ criterion: id, said: { what } })));
    this.news = what.act === 'flag' ? 'Flagged as broken.' : 'No longer flagged.';
  }

  setNote(id: string, note: string): void {
    if (this.item !== null && note !== this.standing(id).note) this.#act([{ criterion: id, said: { note } }]);
  }

  addEvidence(span: Span): void {
    const id = this.criterion?.id;
    if (id === undefined || this.item === null) return;
    const { evidence } = this.standing(id);
    if (span.quote.length > LONGEST_QUOTE) this.news = `A mark holds at most ${LONGEST_QUOTE} characters.`;
    else if (evidence.length >= MOST_MARKS) this.news = `At most ${MOST_MARKS} marks.`;
    else {
      if (!evidence.some((one) => sameSpan(one, span)))
        this.#act([{ criterion: id, said: { evidence: [...evidence, span] } }]);
      this.news = 'Marked.';
    }
  }

  removeEvidence(id: string, at: number): void {
    const evidence = this.standing(id).evidence.filter((_, index) => index !== at);
    this.#act([{ criterion: id, said: { evidence } }]);
    this.news = 'Mark removed.';
  }

  undo(): void {
    this.#replay('undo', 'Taken back.', 'There is nothing to take back.');
  }

  redo(): void {
    this.#replay('redo', 'Done again.', 'There is nothing to do again.');
  }

  /** Another window has events on this question, too: what comes next builds on whatever stands. */
  forgetRevision(sample: string, criterion: string): void {
    this.#answers.forgetRevision(sample, criterion);
  }

  /** Shows a sample as the server has it: the person takes what stands there. */
  refetch(sample: string): void {
    this.#answers.forget(sample);
    this.way.refetch(sample);
  }

  #leave(): void {
    this.#cancelMove();
    const finished = [...this.#spent].filter(([sample]) => this.#answers.state(sample) === 'done');
    this.times = finished.map(([, ms]) => ms);
    this.time.take(this.#options.elapsed());
  }

  #arrive(sample: string | null): void {
    if (sample !== null) this.#activate();
    this.news =
      sample === null
        ? 'That was the last one.'
        : `Sample ${(this.way.index ?? 0) + 1} of ${this.states.length}.`;
  }

  #activate(): void {
    const [open] = this.open;
    this.active = open === undefined ? 0 : this.criteria.indexOf(open);
  }

  #act(sayings: readonly Saying[]): void {
    const { sample } = this;
    if (sample === null) return;
    this.#cancelMove();
    const ms = this.time.take(this.#options.elapsed());
    this.#spent.set(sample, (this.#spent.get(sample) ?? 0) + ms);
    this.#answers.say(sample, sayings, ms);
  }

  /** Shows the sample that an act is taken back on. */
  #replay(how: 'undo' | 'redo', told: string, nothing: string): void {
    this.#cancelMove();
    const [first] = this.#answers.replay(how) ?? [];
    if (first === undefined) {
      this.news = nothing;
      return;
    }
    this.way.show(first.sample);
    this.active = Math.max(
      0,
      this.criteria.findIndex((criterion) => criterion.id === first.criterion),
    );
    this.news = told;
  }
}

function actOf(choice: Chosen, unsure: boolean): LabelAct {
  return choice.act === 'label' ? { act: 'label', value: choice.value, unsure } : { act: 'not_applicable' };
}
