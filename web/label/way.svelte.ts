import type { ProblemReport } from '../../core/problem.ts';
import type { BlindItem, QueueItem } from '../api.ts';
import { nextOpen, upcoming } from './route.ts';
import { Shelf, type ShelfOptions } from './shelf.svelte.ts';

export interface WayOptions extends ShelfOptions {
  /** The samples in the person's own order. */
  order: readonly string[];
  /** Where each of them stands now. */
  states: () => readonly QueueItem['state'][];
  /** Called before each move, while the sample that is left is still in sight. */
  leaving: () => void;
  /** Called after each move; null at the end. */
  moved: (sample: string | null) => void;
}

/** Samples that are fetched ahead. */
const AHEAD = 3;

/** The way through a queue: which sample is in sight, and which one comes next. */
export class Way {
  readonly order: readonly string[];
  /** Place in the order; null at the end. */
  index = $state<number | null>(null);
  readonly #options: WayOptions;
  readonly #shelf: Shelf;
  #round: 'open' | 'skipped' = 'open';

  constructor(options: WayOptions) {
    this.order = options.order;
    this.#options = options;
    this.#shelf = new Shelf(options);
  }

  /** The sample at hand; null at the end. */
  get sample(): string | null {
    return this.index === null ? null : (this.order[this.index] ?? null);
  }

  /** What there is to judge; null while it is fetched. */
  get item(): BlindItem | null {
    return this.sample === null ? null : this.#shelf.item(this.sample);
  }

  /** Why it isn't there; null while it is on its way. */
  get problem(): ProblemReport | null {
    return this.sample === null ? null : this.#shelf.problem(this.sample);
  }

  /** Goes to a sample by its id; without a known one, to the first that is open, else to the end. */
  start(sample: string | null): void {
    const at = sample === null ? -1 : this.order.indexOf(sample);
    this.#go(at === -1 ? nextOpen(this.#options.states(), -1, 'open') : at);
  }

  /** Begins a round over what was skipped. */
  startSkipped(): void {
    this.#round = 'skipped';
    this.#go(nextOpen(this.#options.states(), -1, 'skipped'));
  }

  /** Goes to the neighbour in order, whatever its state. @returns false where there is none. */
  step(by: 1 | -1): boolean {
    const to = this.index === null ? (by === -1 ? this.order.length - 1 : -1) : this.index + by;
    if (to < 0 || to >= this.order.length) return false;
    this.#go(to);
    return true;
  }

  /** Goes to the next one that asks for something, or to the end. */
  advance(): void {
    this.#go(nextOpen(this.#options.states(), this.index ?? -1, this.#round));
  }

  /** Goes to a sample of the queue, unless it is in sight. */
  show(sample: string): void {
    if (sample !== this.sample) this.start(sample);
  }

  /** Lets a sample go, and fetches it as the server now has it where it is in sight. */
  refetch(sample: string): void {
    this.#shelf.forget(sample);
    if (this.sample === sample) this.#shelf.want([sample]);
  }

  #go(index: number | null): void {
    this.#options.leaving();
    this.index = index;
    const { sample } = this;
    this.#options.moved(sample);
    if (index === null || sample === null) return;
    const ahead = upcoming(this.#options.states(), index, AHEAD).flatMap((at) => this.order[at] ?? []);
    this.#shelf.want([sample, ...ahead]);
  }
}
