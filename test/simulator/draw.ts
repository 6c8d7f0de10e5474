import { createHash } from 'node:crypto';

/** Seeded draws that depend on nothing but their names: the same answer whatever the order of the calls. */
export type Draw = (...names: readonly (string | number)[]) => number;

/** @returns draws uniform in [0, 1). */
export function createDraw(seed: number): Draw {
  return (...names) => {
    const digest = createHash('sha256')
      .update(JSON.stringify([seed, ...names]))
      .digest();
    return digest.readUIntBE(0, 6) / 2 ** 48;
  };
}
