import type { LabelAck, LabelEvent } from '../../core/label.ts';
import type { ProblemReport } from '../../core/problem.ts';
import {
  BATCH,
  type Destination,
  type Entry,
  type EntryStore,
  type Hold,
  inOrder,
  nextBatch,
  passes,
  retryDelay,
  type Sent,
} from './entry.ts';

export interface OutboxOptions {
  store: EntryStore;
  send: (to: Destination, events: LabelEvent[]) => Promise<Sent>;
  /** Runs something later; gives what cancels it. */
  later: (ms: number, run: () => void) => () => void;
  /** 0..1 */
  random: () => number;
}

export type SaveState = 'saved' | 'saving' | 'offline' | 'held';

/**
 * Events on their way to the server. What is added is kept in the browser first and sent in order, in batches, again
 * and again until the server has acknowledged it; ids make a second sending harmless.
 */
export class Outbox {
  /** Everything not acknowledged, oldest first. */
  entries = $state.raw<readonly Entry[]>([]);
  /** What stands in the way now; null while sending works. */
  trouble = $state.raw<{ status: number; problem: ProblemReport } | null>(null);
  /** The name under which the server would store what is sent; only that person's events are. */
  annotator = $state.raw<string | null>(null);

  waiting = $derived(this.entries.filter(({ hold, to }) => hold === null && to.annotator === this.annotator));
  held = $derived(this.entries.filter(({ hold }) => hold !== null));
  /** What other people left unsent in this browser: it waits for their name. */
  others = $derived(this.entries.filter(({ hold, to }) => hold === null && to.annotator !== this.annotator));
  state = $derived<SaveState>(
    this.waiting.length > 0
      ? this.trouble === null
        ? 'saving'
        : 'offline'
      : this.held.length > 0
        ? 'held'
        : 'saved',
  );

  readonly #options: OutboxOptions;
  #sending: Promise<void> | null = null;
  #failures = 0;
  #cancelRetry = () => {};
  #place = 0;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** Takes up what an earlier visit left unsent. */
  async open(): Promise<void> {
    const kept = await this.#options.store.load();
    const known = new Set(this.entries.map((entry) => entry.event.id));
    this.entries = inOrder([...kept.filter((entry) => !known.has(entry.event.id)), ...this.entries]);
  }

  /** Adds an event; returns at once. */
  add(to: Destination, event: LabelEvent): void {
    const entry: Entry = { to, event, place: this.#place++, hold: null };
    this.entries = [...this.entries, entry];
    this.#keep(entry);
    void this.flush();
  }

  /** Sends until nothing waits or something stands in the way. A call during sending joins it. */
  flush(): Promise<void> {
    this.#sending ??= this.#drain().finally(() => {
      this.#sending = null;
    });
    return this.#sending;
  }

  /** Tries now, without waiting for the next attempt: the network is back, or the person asks. */
  retry(): Promise<void> {
    this.#cancelRetry();
    this.#failures = 0;
    return this.flush();
  }

  /** Lets held events go: the person has decided. */
  async drop(ids: readonly string[]): Promise<void> {
    this.entries = this.entries.filter((entry) => !ids.includes(entry.event.id));
    await this.#options.store.remove(ids);
  }

  async #drain(): Promise<void> {
    this.#cancelRetry();
    let most = BATCH;
    for (;;) {
      const batch = nextBatch(this.entries, this.annotator, most);
      const [first] = batch;
      if (first === undefined) return;
      const sent = await this.#options.send(
        first.to,
        batch.map((entry) => entry.event),
      );
      if (sent.ok) {
        await this.#settle(batch, sent.value.acks);
        if (this.entries.includes(first)) return this.#wait(0, UNACKNOWLEDGED);
        this.#failures = 0;
        this.trouble = null;
        most = BATCH;
      } else if (passes(sent.status, sent.problem.code)) {
        return this.#wait(sent.status, sent.problem);
      } else if (batch.length === 1 || sent.problem.code === 'rubric_changed') {
        await this.#hold(batch, { why: 'refused', problem: sent.problem });
      } else {
        most = 1; // one bad event must not keep the others back: find it
      }
    }
  }

  #wait(status: number, problem: ProblemReport): void {
    this.trouble = { status, problem };
    this.#failures++;
    const delay = retryDelay(this.#failures, this.#options.random());
    this.#cancelRetry = this.#options.later(delay, () => void this.flush());
  }

  async #settle(batch: readonly Entry[], acks: readonly LabelAck[]): Promise<void> {
    const safe: string[] = [];
    for (const entry of batch) {
      const ack = acks.find((one) => one.id === entry.event.id);
      if (ack?.status === 'conflict')
        await this.#hold([entry], { why: 'conflict', stands: ack.stands ?? null });
      else if (ack !== undefined) safe.push(entry.event.id);
    }
    await this.drop(safe);
  }

  /** Of several held answers to one question only the last is what the person wants. */
  async #hold(batch: readonly Entry[], hold: Hold): Promise<void> {
    for (const entry of batch) {
      const held = { ...entry, hold };
      const older = this.held.filter((one) => sameQuestion(one, entry)).map((one) => one.event.id);
      this.entries = this.entries.map((one) => (one.event.id === entry.event.id ? held : one));
      this.#keep(held);
      if (older.length > 0) await this.drop(older);
    }
  }

  #keep(entry: Entry): void {
    this.#options.store.put(entry).catch((error: unknown) => {
      const message = `this browser can’t keep your answers (${error instanceof Error ? error.message : String(error)})`;
      const remedy =
        'Leave this page open until it says Saved; then make room on the disk, or leave private mode.';
      this.trouble = { status: 0, problem: { code: 'no_browser_storage', message, remedy } };
    });
  }
}

const UNACKNOWLEDGED: ProblemReport = {
  code: 'unacknowledged',
  message: 'the server answered without saying that your answers are safe',
  remedy: 'They are kept here and sent again.',
};

function sameQuestion(one: Entry, other: Entry): boolean {
  return (
    one.event.sample === other.event.sample &&
    one.event.criterion === other.event.criterion &&
    one.to.rubric === other.to.rubric &&
    one.to.annotator === other.to.annotator
  );
}
