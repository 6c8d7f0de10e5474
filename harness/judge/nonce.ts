import { getRandomValues } from 'node:crypto';

/** Uniform in [0, 1), from the system's secure source: nobody can foresee a nonce that is drawn from it. */
export function secureRandom(): number {
  const [high = 0, low = 0] = getRandomValues(new Uint32Array(2));
  return (high * 2 ** 21 + (low >>> 11)) / 2 ** 53;
}

/** 16 hex digits. @param random uniform in [0, 1). */
export function drawNonce(random: () => number): string {
  const half = () =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0');
  return half() + half();
}
