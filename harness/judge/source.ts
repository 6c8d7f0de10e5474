import type { Judge } from '../../core/judge.ts';
import type { Answered } from '../provider/provider.ts';

/** Who answered the calls of a run: whether it was the pinned model throughout, and under which fingerprints. */
export class Source {
  readonly #judge: Judge;
  #strange = false;
  #quarantined = 0;
  readonly #fingerprints = new Map<string, number>();

  constructor(judge: Judge) {
    this.#judge = judge;
  }

  /** Another model than the pinned one has answered: what is heard from now on counts for nothing. */
  distrust(): void {
    this.#strange = true;
  }

  /** Takes note of an answer of the pinned model. @returns whether it may count. */
  trusts({ fingerprint }: Answered): boolean {
    if (this.#strange) this.#quarantined++;
    else if (fingerprint !== null)
      this.#fingerprints.set(fingerprint, (this.#fingerprints.get(fingerprint) ?? 0) + 1);
    return !this.#strange;
  }

  /** What a reader of the run has to know, one sentence each. */
  notes(): string[] {
    const notes: string[] = [];
    if (this.#quarantined > 0)
      notes.push(
        `${answers(this.#quarantined)} that came after it are in quarantine: kept, and in no figure`,
      );
    if (this.#fingerprints.size > 1) {
      const each = [...this.#fingerprints].map(([print, n]) => `${print} (${answers(n)})`);
      notes.push(`${this.#judge.model} answered under ${each.length} fingerprints: ${each.join(', ')}`);
    }
    return notes;
  }
}

/** Why an answer that may not count has no value. */
export const QUARANTINE =
  'quarantined: it was in flight when another model than the pinned one answered in its place';

function answers(n: number): string {
  return n === 1 ? '1 answer' : `${n} answers`;
}
