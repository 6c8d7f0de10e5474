import type { ProblemReport } from '../../core/problem.ts';
import type { Answer } from '../api.ts';

/** Something that a page asks the server for: what came last, what went wrong, whether it is under way. */
export class Load<T> {
  value: T | null = $state.raw(null);
  problem: ProblemReport | null = $state.raw(null);
  busy = $state(false);
  #latest = 0;

  /** Asks; an answer that a later question has overtaken is dropped. @returns the value, or null. */
  async run(call: () => Promise<Answer<T>>): Promise<T | null> {
    const mine = ++this.#latest;
    this.busy = true;
    const answer = await call();
    if (mine !== this.#latest) return null;
    this.busy = false;
    this.problem = answer.ok ? null : answer.problem;
    if (answer.ok) this.value = answer.value;
    return answer.ok ? answer.value : null;
  }

  /** Forgets what came, and what is still on its way. */
  clear(): void {
    this.#latest++;
    this.value = null;
    this.problem = null;
    this.busy = false;
  }
}
