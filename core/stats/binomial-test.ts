import exactTest from '@stdlib/stats-binomial-test';
import { requireCount, requireProbability, requireThat } from './input.ts';

/**
 * Two-sided exact p of x successes in n against probability p0: the total probability of outcomes no more likely than x.
 * 1 at n = 0. For paired verdicts use mcnemar. Source: the rule of R's binom.test and scipy's binomtest.
 */
export function binomialTest(x: number, n: number, p0 = 0.5): number {
  requireCount(x, 'x');
  requireCount(n, 'n');
  requireThat(x <= n, `x must not exceed n, got ${x} of ${n}`);
  requireProbability(p0, 'p0');
  return n === 0 ? 1 : Math.min(1, exactTest(x, n, { p: p0 }).pValue);
}
