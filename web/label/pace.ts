/** The middle of some numbers; null of none. */
export function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((one, other) => one - other);
  const low = sorted[Math.floor((sorted.length - 1) / 2)];
  const high = sorted[Math.floor(sorted.length / 2)];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}

/** Milliseconds to the end at this pace; null before five items, when a guess would only disturb. */
export function timeLeft(times: readonly number[], left: number): number | null {
  const usual = median(times);
  return usual === null || times.length < 5 ? null : usual * left;
}
