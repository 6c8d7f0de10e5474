/** Without a sign of life for this long, milliseconds, the clock stands. */
export const IDLE = 30_000;

/** Counts the time in which somebody is there: it stands while the page is hidden, and after 30 s without a sign of life. */
export class ActiveTime {
  #counted = 0;
  #last: number;
  #hidden = false;

  /** @param now milliseconds, from any start, never falling. */
  constructor(now: number) {
    this.#last = now;
  }

  /** A key, a click, a scroll. */
  touch(now: number): void {
    this.#count(now);
  }

  hide(now: number): void {
    this.#count(now);
    this.#hidden = true;
  }

  show(now: number): void {
    this.#hidden = false;
    this.#last = now;
  }

  /** Active milliseconds since the last taking, which start anew from here. */
  take(now: number): number {
    this.#count(now);
    const taken = Math.round(this.#counted);
    this.#counted = 0;
    return taken;
  }

  #count(now: number): void {
    if (!this.#hidden) this.#counted += Math.min(Math.max(0, now - this.#last), IDLE);
    this.#last = now;
  }
}
