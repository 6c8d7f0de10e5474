import { isMissing, type Label } from './contingency.ts';
import { requireSameLength } from './input.ts';
import type { Stat } from './stat.ts';
import { wilson } from './wilson.ts';

/**
 * Share of items on which two raters gave the same label, with Wilson's interval.
 * Items with a missing label are left out and counted. EMPTY without any pair.
 * Says nothing of chance: at 95 % passes two blind raters agree on 90 %. Show it beside kappa.
 */
export function percentAgreement(a: readonly Label[], b: readonly Label[], level = 0.95): Stat {
  requireSameLength(a, b);
  let agreed = 0;
  let pairs = 0;
  for (let item = 0; item < a.length; item++) {
    if (isMissing(a[item]) || isMissing(b[item])) continue;
    pairs++;
    if (a[item] === b[item]) agreed++;
  }
  return { ...wilson(agreed, pairs, level), nMissing: a.length - pairs };
}
