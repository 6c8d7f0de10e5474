import { mersenne } from 'pure-rand/generator/mersenne';
import { sha256 } from '../hash.ts';
import { requireThat } from './input.ts';

const RANGE = 4294967296;

/** A stream of 32-bit numbers from a seed; every draw takes exactly one of them. */
export interface RandomStream {
  /** A whole number from 0 to 2³² − 1. */
  next(): number;
  /** An index from 0 to n − 1: floor(u32 · n / 2³²). */
  index(n: number): number;
  /** +1 where u32 < 2³¹, else −1. */
  sign(): 1 | -1;
  /** A number strictly between 0 and 1: (u32 + ½) / 2³². */
  uniform(): number;
}

/**
 * MT19937 (Matsumoto & Nishimura 1998) from a 32-bit seed: the same numbers as numpy's RandomState(seed), on every
 * machine. One stream for one statistic: sharing it would let a new panel change another's numbers.
 */
export function randomStream(seed: number): RandomStream {
  requireThat(
    Number.isInteger(seed) && seed >= 0 && seed < RANGE,
    `seed must be a 32-bit number, got ${seed}`,
  );
  const generator = mersenne(seed);
  const next = () => generator.next() >>> 0;
  return {
    next,
    index: (n) => Math.floor((next() * n) / RANGE),
    sign: () => (next() < RANGE / 2 ? 1 : -1),
    uniform: () => (next() + 0.5) / RANGE,
  };
}

/** The seed of a statistic on a dataset: the first four bytes (big-endian) of SHA-256 of `id\ncontentHash`. */
export function seedFor(statisticId: string, contentHash: string): number {
  return Number.parseInt(sha256(`${statisticId}\n${contentHash}`).slice(0, 8), 16);
}
