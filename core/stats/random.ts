import { mersenne } from 'pure-rand/generator/mersenne';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';
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
  return new MersenneStream(mersenne(seed));
}

/** A class and no closures: loops that are given one stream after another are then compiled once. */
class MersenneStream implements RandomStream {
  readonly #generator: RandomGenerator;

  constructor(generator: RandomGenerator) {
    this.#generator = generator;
  }

  next(): number {
    return this.#generator.next() >>> 0;
  }

  index(n: number): number {
    return Math.floor((this.next() * n) / RANGE);
  }

  sign(): 1 | -1 {
    return this.next() < RANGE / 2 ? 1 : -1;
  }

  uniform(): number {
    return (this.next() + 0.5) / RANGE;
  }
}

/** The seed of a statistic on a dataset: the first four bytes (big-endian) of SHA-256 of `id\ncontentHash`. */
export function seedFor(statisticId: string, contentHash: string): number {
  return Number.parseInt(sha256(`${statisticId}\n${contentHash}`).slice(0, 8), 16);
}
