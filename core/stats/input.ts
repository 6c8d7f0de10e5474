import { StatsInputError } from './stat.ts';

/** Largest magnitude accepted of a measurement: its powers and sums stay finite. */
const LARGEST = 1e60;

/** Throws INVALID_INPUT with `message` unless `holds`. */
export function requireThat(holds: boolean, message: string): asserts holds {
  if (!holds) throw new StatsInputError('INVALID_INPUT', message);
}

/** A confidence level or error rate must lie strictly between 0 and 1, by 1e-12 at least: its quantiles stay finite. */
export function requireFraction(value: number, name: string): void {
  requireThat(value >= 1e-12 && value <= 1 - 1e-12, `${name} must lie between 0 and 1, got ${value}`);
}

/** A probability may be 0 or 1. */
export function requireProbability(value: number, name: string): void {
  requireThat(value >= 0 && value <= 1, `${name} must lie in [0, 1], got ${value}`);
}

/** A count: a whole number from `least` upwards. */
export function requireCount(value: number, name: string, least = 0): void {
  requireThat(
    Number.isSafeInteger(value) && value >= least,
    `${name} must be a whole number of at least ${least}, got ${value}`,
  );
}

/** Measurements: finite and below 1e60 in magnitude. */
export function requireReal(values: Iterable<number>, name: string): void {
  for (const value of values) {
    requireThat(Math.abs(value) <= LARGEST, `${name} must hold finite numbers, got ${value}`);
  }
}

/** Weights: finite and above zero. */
export function requirePositive(values: Iterable<number>, name: string): void {
  for (const value of values) {
    requireThat(value > 0 && value <= LARGEST, `${name} must hold numbers above 0, got ${value}`);
  }
}

/** Paired inputs must have one length. */
export function requireSameLength(a: ArrayLike<unknown>, b: ArrayLike<unknown>): void {
  if (a.length !== b.length) {
    throw new StatsInputError('LENGTH_MISMATCH', `inputs have ${a.length} and ${b.length} items`);
  }
}
