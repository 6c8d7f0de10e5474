/** Calls in flight once the first has been heard. */
const START = 16;

/** How many calls of one model may be in flight: it grows while they are answered and halves when there are too many. */
export interface Window {
  /** At least 1, at most the limit. */
  size(): number;
  /** A call was heard. @param answered it has an answer; a failure lets nothing grow. */
  heard(answered: boolean): void;
  /** The provider has too much of us. @param inFlight calls in flight then, this one included. */
  cut(inFlight: number): void;
  /** Back to one at a time. */
  close(): void;
}

/**
 * Additive increase, multiplicative decrease. The first call goes alone, so that a refused key or a retired model costs
 * one; then the window doubles each round trip up to the limit or half of where it was last cut, and from there grows by
 * one a round trip.
 */
export function createWindow(limit: number): Window {
  let size = 1;
  let threshold = limit;
  let first = true;
  return {
    size: () => Math.floor(size),
    heard: (answered) => {
      if (first) size = Math.min(limit, START);
      else if (answered) size = Math.min(limit, size + (size < threshold ? 1 : 1 / size));
      first = false;
    },
    cut: (inFlight) => {
      size = Math.max(1, Math.floor(Math.min(size, inFlight) / 2));
      threshold = size;
      first = false;
    },
    close: () => {
      size = 1;
      threshold = limit;
      first = false;
    },
  };
}
