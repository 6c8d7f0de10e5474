import { goldOf } from '../../core/gold.ts';
import type { Criterion } from '../../core/rubric.ts';
import type { Outcome, PairOrder } from '../../core/verdict.ts';

/** One verdict among those that a judge gave of one sample on one criterion. */
export interface Vote {
  order: PairOrder | null;
  repeat: number;
  result: Outcome;
}

/**
 * The one outcome that several verdicts come to, by the same rule everywhere.
 * Repeats: the median level on ordinal scales, else the most frequent, and more than half of them must be scored.
 * Orders of a pair: both must agree, else the value is a tie and the reason tells of the flip.
 * @param orders the orders that must have spoken, `[null]` where it is no pair.
 * @returns null where one of the orders has no verdict at all.
 */
export function combineVotes(
  criterion: Pick<Criterion, 'scale' | 'levels'>,
  votes: readonly Vote[],
  orders: readonly (PairOrder | null)[],
): Outcome | null {
  const [first, second] = orders.map((order) =>
    combineRepeats(
      criterion,
      votes.filter((vote) => vote.order === order),
    ),
  );
  if (first === undefined || first === null) return null;
  if (second === undefined) return first;
  return second === null ? null : combineOrders(first, second);
}

function combineRepeats(
  criterion: Pick<Criterion, 'scale' | 'levels'>,
  votes: readonly Vote[],
): Outcome | null {
  const [first] = votes;
  if (first === undefined) return null;
  if (votes.length === 1) return first.result;
  const scored = votes.flatMap(({ result }) => (result.outcome === 'scored' ? [result] : []));
  if (scored.length * 2 <= votes.length) return commonestUnscored(votes);
  const counts = scored.map(({ value }, index) => ({ annotator: String(index), value }));
  const agreed = goldOf(counts, criterion)?.value ?? (criterion.scale === 'pairwise' ? 'tie' : null);
  const split = `${scored.length} of ${votes.length} repeats: ${scored.map(({ value }) => value).join(', ')}`;
  if (agreed === null)
    return { outcome: 'abstained', reason: `${split}; they settle on nothing`, quotes: [] };
  const voice = scored.find(({ value }) => value === agreed);
  const unanimous = scored.length === votes.length && scored.every(({ value }) => value === agreed);
  const reason = voice?.reason ?? '';
  return {
    outcome: 'scored',
    value: agreed,
    reason: unanimous ? reason : `${split}. ${reason}`,
    quotes: voice?.quotes ?? [],
  };
}

/** The outcome without a value that most of these have; the first of them where several lead. */
export function commonestUnscored(
  votes: readonly Pick<Vote, 'result'>[],
): Exclude<Outcome, { outcome: 'scored' }> {
  const unscored = votes.flatMap(({ result }) => (result.outcome === 'scored' ? [] : [result]));
  const count = (outcome: Outcome['outcome']) => unscored.filter((one) => one.outcome === outcome).length;
  const [worst] = unscored.toSorted((one, other) => count(other.outcome) - count(one.outcome));
  return worst ?? { outcome: 'invalid', reason: 'no repeat was scored', quotes: [] };
}

function combineOrders(ab: Outcome, ba: Outcome): Outcome {
  if (ab.outcome !== 'scored') return ab;
  if (ba.outcome !== 'scored') return ba;
  const quotes = [...ab.quotes, ...ba.quotes];
  if (ab.value === ba.value) return { ...ab, quotes };
  const flip = `The answer flipped with the order: ${ab.value} with A first, ${ba.value} with B first.`;
  return { outcome: 'scored', value: 'tie', reason: `${flip} ${ab.reason} | ${ba.reason}`, quotes };
}
