import { SvelteMap } from 'svelte/reactivity';
import type { ProblemReport } from '../../core/problem.ts';
import type { Answer, BlindItem } from '../api.ts';

export interface ShelfOptions {
  fetch: (sample: string) => Promise<Answer<BlindItem>>;
  /** Called once for each item that arrives. */
  arrived: (item: BlindItem) => void;
  later: (ms: number, run: () => void) => () => void;
}

/** Milliseconds until an item that could not be fetched is asked for again. */
const AGAIN = 2000;

/** The items at hand: fetched ahead, kept for going back, asked for again where the server was away. */
export class Shelf {
  readonly #options: ShelfOptions;
  readonly #items = new SvelteMap<string, BlindItem>();
  readonly #problems = new SvelteMap<string, ProblemReport>();
  readonly #asked = new Set<string>();
  #wanted: readonly string[] = [];

  constructor(options: ShelfOptions) {
    this.#options = options;
  }

  item(sample: string): BlindItem | null {
    return this.#items.get(sample) ?? null;
  }

  /** Why an item isn't there; null while it is on its way. */
  problem(sample: string): ProblemReport | null {
    return this.#problems.get(sample) ?? null;
  }

  /** Fetches what is not there yet, the first first. What an earlier call wanted is no longer asked for again. */
  want(samples: readonly string[]): void {
    this.#wanted = samples;
    for (const sample of samples) void this.#fetch(sample);
  }

  /** Lets an item go, so that it is fetched as the server now has it. */
  forget(sample: string): void {
    this.#items.delete(sample);
    this.#asked.delete(sample);
  }

  async #fetch(sample: string): Promise<void> {
    if (this.#asked.has(sample)) return;
    this.#asked.add(sample);
    const answer = await this.#options.fetch(sample);
    if (answer.ok) {
      this.#problems.delete(sample);
      this.#options.arrived(answer.value);
      this.#items.set(sample, answer.value);
      return;
    }
    this.#asked.delete(sample);
    this.#problems.set(sample, answer.problem);
    if (answer.status === 0 || answer.status >= 500) {
      this.#options.later(AGAIN, () => {
        if (this.#wanted.includes(sample)) void this.#fetch(sample);
      });
    }
  }
}
