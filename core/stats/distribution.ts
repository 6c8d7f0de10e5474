import betainc from '@stdlib/math-base-special-betainc';
import gammainc from '@stdlib/math-base-special-gammainc';
import gammaln from '@stdlib/math-base-special-gammaln';
import beta from '@stdlib/stats-base-dists-beta';
import binomial from '@stdlib/stats-base-dists-binomial';
import f from '@stdlib/stats-base-dists-f';
import normal from '@stdlib/stats-base-dists-normal';
import t from '@stdlib/stats-base-dists-t';

/** The x with Φ(x) = p; ±Infinity at p = 0 and 1. One Halley step takes the library's 2e-9 to rounding. */
export function normalQuantile(p: number): number {
  const tail = Math.min(p, 1 - p);
  const x = normal.quantile(tail, 0, 1);
  const error = (normal.cdf(x, 0, 1) - tail) / normal.pdf(x, 0, 1);
  const refined = Number.isFinite(error) ? x - error / (1 + (x * error) / 2) : x;
  return p > 0.5 ? -refined : refined;
}

/** Φ(x), accurate in the lower tail; an upper tail is Φ(−x), never 1 − Φ(x). */
export function normalCdf(x: number): number {
  return normal.cdf(x, 0, 1);
}

/** The two-sided multiplier of a confidence level: Φ⁻¹((1 + level) / 2). */
export function normalMultiplier(level: number): number {
  return normalQuantile((1 + level) / 2);
}

/** Two-sided p of a standard normal deviate. */
export function normalTwoSided(z: number): number {
  return 2 * normalCdf(-Math.abs(z));
}

/** Quantile of Student's t; `df` may be fractional. */
export function tQuantile(p: number, df: number): number {
  return t.quantile(p, df);
}

/** P(T ≤ x), accurate in the lower tail; an upper tail is `tCdf(-x, df)`. */
export function tCdf(x: number, df: number): number {
  return t.cdf(x, df);
}

/** Two-sided p of a t value. */
export function tTwoSided(value: number, df: number): number {
  return 2 * tCdf(-Math.abs(value), df);
}

/** Quantile of the beta distribution with shapes a, b > 0. */
export function betaQuantile(p: number, a: number, b: number): number {
  return beta.quantile(p, a, b);
}

/** P(X ≤ x) of the beta distribution. */
export function betaCdf(x: number, a: number, b: number): number {
  return beta.cdf(x, a, b);
}

/** Quantile of the F distribution; degrees of freedom may be fractional. */
export function fQuantile(p: number, df1: number, df2: number): number {
  return f.quantile(p, df1, df2);
}

/** P(F > x), computed as an upper tail. */
export function fUpper(x: number, df1: number, df2: number): number {
  return betainc((df1 * x) / (df1 * x + df2), df1 / 2, df2 / 2, true, true);
}

/** P(χ² > x), computed as an upper tail. */
export function chiSquareUpper(x: number, df: number): number {
  return gammainc(x / 2, df / 2, true, true);
}

/** P(X = k) of n trials with success probability p. */
export function binomialPmf(k: number, n: number, p: number): number {
  return binomial.pmf(k, n, p);
}

/** P(X ≤ k) of n trials with success probability p. */
export function binomialCdf(k: number, n: number, p: number): number {
  return binomial.cdf(k, n, p);
}

/** ln Γ(x). */
export function logGamma(x: number): number {
  return gammaln(x);
}
