import { randomUUID } from 'node:crypto';

/** Uniform in [0, 1), from the system's secure source: nobody can foresee a nonce that is drawn from it. */
export function secureRandom(): number {
  // The cheapest secure bits that Node has: it draws them for many UUIDs at once. The first twelve digits are random.
  const [high = '', middle = ''] = randomUUID().split('-');
  return Number.parseInt(high + middle, 16) / 2 ** 48;
}

/** 16 hex digits. @param random uniform in [0, 1). */
export function drawNonce(random: () => number): string {
  const half = () =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0');
  return half() + half();
}
