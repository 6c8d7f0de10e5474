import type { Budgets } from './budgets.ts';
import type { GroupCommit } from './group-commit.ts';

/** Commits results, gives their reservations back, and tells who waits for room in a budget. */
export class Settling {
  readonly #commit: GroupCommit;
  readonly #budgets: Budgets;
  #waiting: (() => void)[] = [];

  constructor(commit: GroupCommit, budgets: Budgets) {
    this.#commit = commit;
    this.#budgets = budgets;
  }

  /** Resolves when the next result is on disk. */
  next(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** @param hold the number by which budgets know the call; @param costUsd null = not known. */
  record(hold: number, costUsd: number | null, write: () => void): Promise<void> {
    const settle = () => {
      write();
      this.#budgets.settle(hold, costUsd);
    };
    return this.#commit
      .run(settle)
      .catch((error: unknown) => {
        this.#budgets.reset(hold);
        throw error;
      })
      .finally(() => {
        const waiting = this.#waiting;
        this.#waiting = [];
        for (const wake of waiting) wake();
      });
  }
}
