import type { ProblemReport } from '../../core/problem.ts';
import type { Answer, RunDetail } from '../api.ts';

export interface RunWatchOptions {
  fetch: (run: string) => Promise<Answer<RunDetail>>;
  later: (ms: number, run: () => void) => () => void;
  onended: () => void;
}

/** Milliseconds between two looks at a run. */
const EVERY = 1000;

/** Follows a run until it has ended; a server that is away for a while ends nothing. */
export class RunWatch {
  run: RunDetail | null = $state.raw(null);
  problem: ProblemReport | null = $state.raw(null);
  readonly #options: RunWatchOptions;
  #cancel = () => {};
  #following: string | null = null;

  constructor(options: RunWatchOptions) {
    this.#options = options;
  }

  follow(run: string): void {
    this.#cancel();
    this.#following = run;
    void this.#look(run);
  }

  stop(): void {
    this.#cancel();
    this.#following = null;
  }

  async #look(id: string): Promise<void> {
    const answer = await this.#options.fetch(id);
    if (this.#following !== id) return;
    this.problem = answer.ok ? null : answer.problem;
    if (answer.ok) this.run = answer.value;
    if (answer.ok && answer.value.state !== 'running') this.#options.onended();
    else if (answer.ok || answer.status === 0)
      this.#cancel = this.#options.later(EVERY, () => void this.#look(id));
  }
}
