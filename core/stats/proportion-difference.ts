import { normalMultiplier } from './distribution.ts';
import { estimate, interval } from './estimate.ts';
import { requireCount, requireFraction, requireThat } from './input.ts';
import { type Stat, undefinedStat } from './stat.ts';
import { wilsonEnds } from './wilson.ts';

/**
 * Difference x1/n1 − x2/n2 of two independent proportions with Newcombe's hybrid score interval (method 10).
 * Not for two versions on the same items (pairedDifference). EMPTY when a group is empty. Source: Newcombe 1998.
 */
export function proportionDifference(
  first: { x: number; n: number },
  second: { x: number; n: number },
  level = 0.95,
): Stat {
  requireFraction(level, 'level');
  for (const { x, n } of [first, second]) {
    requireCount(x, 'x');
    requireCount(n, 'n');
    requireThat(x <= n, 'x must not exceed n');
  }
  const n = first.n + second.n;
  if (first.n === 0 || second.n === 0) return undefinedStat('EMPTY', n);
  const z = normalMultiplier(level);
  const [p1, p2] = [first.x / first.n, second.x / second.n];
  const [ends1, ends2] = [wilsonEnds(p1, first.n, z), wilsonEnds(p2, second.n, z)];
  const value = p1 - p2;
  const low = value - Math.hypot(p1 - ends1.low, ends2.high - p2);
  const high = value + Math.hypot(ends1.high - p1, p2 - ends2.low);
  const se = Math.sqrt((p1 * (1 - p1)) / first.n + (p2 * (1 - p2)) / second.n);
  return estimate({ value, se, ci: interval(low, high, level, 'newcombe', [-1, 1]), n });
}
