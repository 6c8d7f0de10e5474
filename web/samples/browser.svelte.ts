import type { ProblemReport } from '../../core/problem.ts';
import type { Answer, SamplePage } from '../api.ts';

export interface BrowserOptions {
  fetch: (from: { dataset: string; q: string; after: number }) => Promise<Answer<SamplePage>>;
}

type Row = SamplePage['samples'][number];

/** The samples of a dataset, fetched a page at a time as they are scrolled to. */
export class SampleBrowser {
  rows: readonly Row[] = $state.raw([]);
  problem: ProblemReport | null = $state.raw(null);
  busy = $state(false);
  /** Where the next page begins; null at the end. */
  next: number | null = $state(null);
  readonly #options: BrowserOptions;
  #of = { dataset: '', q: '' };

  constructor(options: BrowserOptions) {
    this.#options = options;
  }

  /** Begins at the top of a dataset, or of what a search finds in it. */
  async open(dataset: string, q: string): Promise<void> {
    this.#of = { dataset, q };
    this.rows = [];
    this.next = 0;
    this.busy = false;
    await this.more();
  }

  /** Fetches the next page, where there is one and none is on its way. */
  async more(): Promise<void> {
    if (this.busy || this.next === null) return;
    const of = this.#of;
    this.busy = true;
    const answer = await this.#options.fetch({ ...of, after: this.next });
    if (of !== this.#of) return;
    this.busy = false;
    this.problem = answer.ok ? null : answer.problem;
    if (!answer.ok) return;
    this.rows = [...this.rows, ...answer.value.samples];
    this.next = answer.value.next;
  }
}
