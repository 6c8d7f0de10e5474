import type { OrderFigures } from '../../core/agreement.ts';
import type { ScaleKind } from '../../core/scale.ts';
import { positionBias } from '../../core/stats/position.ts';
import { pairAgreement } from './pair-agreement.ts';
import { type RatedItem, scoredValue } from './rated-item.ts';

/**
 * What the order of presentation does to a pair judge: conflicts, which slot they favour, and agreement with gold in
 * each order. Null where no pair was judged in both orders. Verdicts name answers (a, b, tie), not slots.
 */
export function orderFigures(
  items: readonly RatedItem[],
  categories: readonly string[],
  scale: ScaleKind,
): OrderFigures | null {
  const seen = items.flatMap((item) =>
    item.orders === null ? [] : [{ item, ab: scoredValue(item.orders.ab), ba: scoredValue(item.orders.ba) }],
  );
  if (seen.length === 0) return null;
  const counts = { consistentA: 0, consistentB: 0, firstBoth: 0, secondBoth: 0, mixedWithTie: 0 };
  for (const { ab, ba } of seen) {
    if (ab === null || ba === null) continue;
    if (ab === ba) counts[ab === 'b' ? 'consistentB' : 'consistentA']++;
    else if (ab === 'tie' || ba === 'tie') counts.mixedWithTie++;
    else counts[ab === 'a' ? 'firstBoth' : 'secondBoth']++;
  }
  const bias = positionBias(counts);
  const consistent = counts.consistentA + counts.consistentB;
  const golds = seen.map(({ item }) => item.gold?.value ?? null);
  return {
    n: bias.n,
    unreadable: {
      ab: seen.filter(({ ab }) => ab === null).length,
      ba: seen.filter(({ ba }) => ba === null).length,
    },
    consistent,
    conflict: bias.n - consistent,
    conflict_rate: bias.conflictRate,
    first_both: counts.firstBoth,
    second_both: counts.secondBoth,
    mixed_with_tie: counts.mixedWithTie,
    first_share: bias.firstShare,
    net_shift: bias.netShift,
    p: counts.firstBoth + counts.secondBoth === 0 ? null : bias.p,
    between_orders: pairAgreement(
      seen.map(({ ab }) => ab),
      seen.map(({ ba }) => ba),
      categories,
      scale,
    ),
    gold_ab: pairAgreement(
      golds,
      seen.map(({ ab }) => ab),
      categories,
      scale,
    ),
    gold_ba: pairAgreement(
      golds,
      seen.map(({ ba }) => ba),
      categories,
      scale,
    ),
  };
}
