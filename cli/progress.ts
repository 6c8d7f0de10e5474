import { plainLine } from '../harness/report/plain-text.ts';

/** Milliseconds between two lines where stderr is no terminal. */
const PLAIN_EVERY = 10_000;

/** One line on a terminal that is drawn over; elsewhere a plain line now and then. */
export class ProgressLine {
  readonly #out: NodeJS.WriteStream;
  #last: number;

  constructor(out: NodeJS.WriteStream = process.stderr) {
    this.#out = out;
    this.#last = out.isTTY ? 0 : Date.now();
  }

  /** Draws at most ten times a second on a terminal, every ten seconds elsewhere. */
  show(text: string): void {
    const now = Date.now();
    if (now - this.#last < (this.#out.isTTY ? 100 : PLAIN_EVERY)) return;
    this.#last = now;
    if (!this.#out.isTTY) {
      this.#out.write(`${plainLine(text)}\n`);
      return;
    }
    this.#out.write(`\r\u001b[2K${plainLine(text, Math.max(20, (this.#out.columns ?? 80) - 1))}`);
  }

  /** Clears the line. */
  end(): void {
    if (this.#out.isTTY) this.#out.write('\r\u001b[2K');
  }
}
