import { plainLine } from '../harness/report/plain-text.ts';

/** One line on a terminal that is drawn over, or nothing where stderr is no terminal. */
export class ProgressLine {
  readonly #out: NodeJS.WriteStream;
  #last = 0;

  constructor(out: NodeJS.WriteStream = process.stderr) {
    this.#out = out;
  }

  /** Draws at most ten times a second. */
  show(text: string): void {
    const now = Date.now();
    if (!this.#out.isTTY || now - this.#last < 100) return;
    this.#last = now;
    this.#out.write(`\r\u001b[2K${plainLine(text, Math.max(20, (this.#out.columns ?? 80) - 1))}`);
  }

  /** Clears the line. */
  end(): void {
    if (this.#out.isTTY) this.#out.write('\r\u001b[2K');
  }
}
