import type { Answer } from '../../core/gold.ts';
import type { Gold } from '../../core/label-set.ts';
import type { Outcome } from '../../core/verdict.ts';

/** One sample as agreement sees it: what people answered, what is gold, what the judge said. */
export interface RatedItem {
  sample: string;
  external: string | null;
  /** The unit that errors cluster in. */
  cluster: string;
  answers: readonly Answer[];
  gold: Gold | null;
  /** The judge's combined verdict; null = none was ever made. */
  verdict: Outcome | null;
  /** Verdicts by the order in which a pair was shown, where the judge saw both. */
  orders: { ab: Outcome | null; ba: Outcome | null } | null;
  /** What repeats in the same order came to; null where each was asked once. */
  repeats: 'same' | 'differ' | 'unscored' | null;
  /** What each member said, its verdicts combined, where the judge is a panel; in the panel's order. */
  members: readonly (Outcome | null)[];
}

/** The value of a verdict, or null where there is none. */
export function scoredValue(verdict: Outcome | null): string | null {
  return verdict?.outcome === 'scored' ? verdict.value : null;
}
