import type { HumanAgreement } from '../../core/agreement.ts';
import { type Criterion, levelValues } from '../../core/rubric.ts';
import { krippendorffAlpha } from '../../core/stats/alpha.ts';
import { fleissKappa } from '../../core/stats/fleiss.ts';
import type { Stat } from '../../core/stats/stat.ts';
import { pairAgreement } from './pair-agreement.ts';
import type { RatedItem } from './rated-item.ts';

/** How far people agree among themselves: the ceiling for any judge. Needs two people; one leaves it empty. */
export function humanAgreement(items: readonly RatedItem[], criterion: Criterion): HumanAgreement {
  const annotators = [
    ...new Set(items.flatMap((item) => item.answers.map((answer) => answer.annotator))),
  ].sort();
  const categories = levelValues(criterion);
  const values = new Map(annotators.map((annotator) => [annotator, valuesOf(items, annotator)]));
  const pairs = annotators.flatMap((one, index) =>
    annotators.slice(index + 1).flatMap((other) => {
      const agreement = pairAgreement(
        values.get(one) ?? [],
        values.get(other) ?? [],
        categories,
        criterion.scale,
      );
      return agreement.n === 0 ? [] : [{ one, other, agreement }];
    }),
  );
  const kappas = pairs.flatMap(({ agreement }) =>
    agreement.kappa.value === null ? [] : [agreement.kappa.value],
  );
  const ratings = items.map((_, item) =>
    annotators.map((annotator) => values.get(annotator)?.[item] ?? null),
  );
  const several = annotators.length > 1;
  return {
    annotators,
    pairs,
    mean_kappa: kappas.length === 0 ? null : kappas.reduce((sum, kappa) => sum + kappa, 0) / kappas.length,
    fleiss: several ? plain(fleissKappa(ratings, { categories })) : null,
    alpha: several
      ? plain(krippendorffAlpha(ratings, criterion.scale === 'ordinal' ? 'ordinal' : 'nominal', categories))
      : null,
  };
}

/** One person's values over the items, null where they gave none. */
export function valuesOf(items: readonly RatedItem[], annotator: string): (string | null)[] {
  return items.map((item) => item.answers.find((answer) => answer.annotator === annotator)?.value ?? null);
}

/** The Stat of a richer result, without its further parts. */
function plain({ value, se, ci, n, nMissing, status, reason, notes }: Stat): Stat {
  return { value, se, ci, n, nMissing, status, ...(reason !== undefined && { reason }), notes };
}
