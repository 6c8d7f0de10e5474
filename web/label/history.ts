import type { Standing } from './standing.ts';

/** One question before and after an act. */
export interface Change {
  sample: string;
  criterion: string;
  before: Standing;
  after: Standing;
}

/** What one act changed: one question, or several where a whole sample is skipped or flagged. */
export type Act = readonly Change[];

/** Acts that can be taken back, and taken-back acts that can be done again: without end, also after saving. */
export class History {
  #done: Act[] = [];
  #undone: Act[] = [];

  record(act: Act): void {
    this.#done.push(act);
    this.#undone = [];
  }

  /** The last act, which now counts as taken back; null where there is none. */
  undo(): Act | null {
    const act = this.#done.pop() ?? null;
    if (act !== null) this.#undone.push(act);
    return act;
  }

  /** The act taken back last, which now counts as done; null where there is none. */
  redo(): Act | null {
    const act = this.#undone.pop() ?? null;
    if (act !== null) this.#done.push(act);
    return act;
  }
}
