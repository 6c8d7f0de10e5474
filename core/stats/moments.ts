import { sampleVariance, sum } from 'simple-statistics';

/** Arithmetic mean by a compensated sum; NaN without values. */
export function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}

/** Variance with divisor n − 1, two-pass, never negative; NaN below two values. */
export function variance(values: readonly number[]): number {
  return values.length < 2 ? Number.NaN : Math.max(0, sampleVariance(values));
}

/** Standard deviation with divisor n − 1; NaN below two values. */
export function deviation(values: readonly number[]): number {
  return Math.sqrt(variance(values));
}

/** Standard error of the mean of independent values; NaN below two values. */
export function meanError(values: readonly number[]): number {
  return deviation(values) / Math.sqrt(values.length);
}

/** Are all values the same number? True of an empty list. */
export function constant(values: readonly number[]): boolean {
  return values.every((value) => value === values[0]);
}
