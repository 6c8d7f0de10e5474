import type { Database } from 'better-sqlite3';

/**
 * Commits the writes of one turn of the event loop together: one sync to disk for all that arrived meanwhile.
 * A promise resolves only after its write is on disk; a write that throws takes no other down.
 */
export class GroupCommit {
  readonly #db: Database;
  #waiting: Waiting[] = [];
  #scheduled = false;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Queues a write; it runs in an immediate transaction shared with its neighbours. */
  run<T>(write: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({
        attempt: () => {
          const value = write();
          return () => resolve(value);
        },
        reject,
      });
      if (!this.#scheduled) {
        this.#scheduled = true;
        setImmediate(() => this.flush());
      }
    });
  }

  /** Commits what is queued now. */
  flush(): void {
    this.#scheduled = false;
    const batch = this.#waiting;
    this.#waiting = [];
    if (batch.length === 0) return;
    const settle: (() => void)[] = [];
    try {
      this.#db
        .transaction(() => {
          for (const { attempt, reject } of batch) {
            try {
              settle.push(this.#db.transaction(attempt)());
            } catch (error) {
              settle.push(() => reject(error));
            }
          }
        })
        .immediate();
    } catch (error) {
      for (const { reject } of batch) reject(error);
      return;
    }
    for (const done of settle) done();
  }
}

interface Waiting {
  attempt: () => () => void;
  reject: (error: unknown) => void;
}
