import { estimate } from './estimate.ts';
import { requireCount, requireThat } from './input.ts';
import { type Stat, undefinedStat } from './stat.ts';

/**
 * pass^k of one task: the chance that k trials drawn from its n, c of them passed, all pass: C(c,k) / C(n,k).
 * Unbiased for p^k where (c/n)^k is far too high. Trials that errored are no part of n.
 * K_EXCEEDS_TRIALS for k > n. For a suite use suiteInterval. Source: Yao et al. 2024.
 */
export function passHatK(n: number, c: number, k: number): Stat {
  return drawn(n, c, k, (draw) => {
    let value = 1;
    for (let i = 0; i < k; i++) value *= draw > i ? (draw - i) / (n - i) : 0;
    return value;
  });
}

/**
 * pass@k of one task: the chance that at least one of k trials drawn from its n passes: 1 − C(n−c,k) / C(n,k).
 * For what an agent can do with retries and a checker, not for reliability. Source: Chen et al. 2021.
 */
export function passAtK(n: number, c: number, k: number): Stat {
  return drawn(n, c, k, (draw) => {
    let none = 1;
    for (let i = 0; i < k; i++) none *= n - draw > i ? (n - draw - i) / (n - i) : 0;
    return 1 - none;
  });
}

function drawn(n: number, c: number, k: number, formula: (c: number) => number): Stat {
  requireCount(n, 'n');
  requireCount(c, 'c');
  requireCount(k, 'k', 1);
  requireThat(c <= n, `passes cannot exceed trials, got ${c} of ${n}`);
  if (k > n) return undefinedStat('K_EXCEEDS_TRIALS', n);
  return estimate({ value: formula(c), n });
}
