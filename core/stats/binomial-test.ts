import { binomialCdf, binomialPmf } from './distribution.ts';
import { requireCount, requireProbability, requireThat } from './input.ts';

/** Outcomes as likely as x up to rounding count as no more likely. */
const SLACK = 1 + 1e-7;

/**
 * Two-sided exact p of x successes in n against probability p0: the total probability of outcomes no more likely than x.
 * 1 at n = 0. Cost O(log n). For paired verdicts use mcnemar. Source: the rule of R's binom.test and scipy's binomtest.
 */
export function binomialTest(x: number, n: number, p0 = 0.5): number {
  requireCount(x, 'x');
  requireCount(n, 'n');
  requireThat(x <= n, `x must not exceed n, got ${x} of ${n}`);
  requireProbability(p0, 'p0');
  if (n === 0) return 1;
  const expected = n * p0;
  if (x > expected) return binomialTest(n - x, n, 1 - p0);
  if (x === expected) return 1;
  const limit = binomialPmf(x, n, p0) * SLACK;
  const other = firstUnlikely(Math.ceil(expected), n + 1, (k) => binomialPmf(k, n, p0) <= limit);
  const upper = other > n ? 0 : binomialCdf(n - other, n, 1 - p0);
  return Math.min(1, binomialCdf(x, n, p0) + upper);
}

/** First k in [low, high) that is unlikely, where unlikely ones follow likely ones; `high` without one. */
function firstUnlikely(low: number, high: number, unlikely: (k: number) => boolean): number {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (unlikely(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}
