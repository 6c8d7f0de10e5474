import type { KappaStat, PairAgreement } from '../../core/agreement.ts';
import type { ScaleKind } from '../../core/scale.ts';
import { defaultWeights } from '../../core/scale.ts';
import { brennanPrediger, byrtIndices, gwetAC, scottPi } from '../../core/stats/chance.ts';
import { contingencyTable, type Table } from '../../core/stats/contingency.ts';
import { cohenKappa, kappaMax } from '../../core/stats/kappa.ts';
import { wilson } from '../../core/stats/wilson.ts';

/**
 * Every measure of agreement between two raters on the same items.
 * @param reference the person's or gold's values (rows); @param tested the judge's (columns); null = left out.
 * @param categories all levels in the rubric's order, used or not.
 */
export function pairAgreement(
  reference: readonly (string | null)[],
  tested: readonly (string | null)[],
  categories: readonly string[],
  scale: ScaleKind,
): PairAgreement {
  const { table, nMissing } = contingencyTable(reference, tested, categories);
  const kappas = weightsOf(scale).map(
    (weights): KappaStat => ({ ...cohenKappa(table, { weights, nMissing }), weights }),
  );
  const wanted = defaultWeights(scale);
  const kappa = kappas.find((one) => one.weights === wanted) ?? {
    ...cohenKappa(table, { nMissing }),
    weights: 'unweighted' as const,
  };
  const n = table.flat().reduce((sum, count) => sum + count, 0);
  const agreed = table.reduce((sum, row, index) => sum + (row[index] ?? 0), 0);
  const ac1 = gwetAC(table);
  const unweighted = kappas.find((one) => one.weights === 'unweighted') ?? kappa;
  return {
    n,
    categories: [...categories],
    table,
    percent: { ...wilson(agreed, n), nMissing },
    kappa,
    kappas,
    kappa_max: n === 0 ? null : kappaMax(table).kappaMax,
    scott_pi: scottPi(table),
    ac1,
    brennan_prediger: brennanPrediger(table),
    notes: paradoxNotes(table, unweighted, ac1.value),
  };
}

function weightsOf(scale: ScaleKind): KappaStat['weights'][] {
  return scale === 'ordinal' ? ['unweighted', 'linear', 'quadratic'] : ['unweighted'];
}

/** Kappa falls where one level holds nearly all items, whatever the agreement (stats 1.2.4): say so beside it. */
function paradoxNotes(table: Table, kappa: KappaStat, ac1: number | null): string[] {
  if (table.length !== 2 || kappa.value === null || ac1 === null || kappa.po === null) return [];
  const { prevalenceIndex } = byrtIndices(table);
  if (prevalenceIndex === null || prevalenceIndex <= 0.6 || ac1 - kappa.value <= 0.2) return [];
  const two = (value: number) => value.toFixed(2);
  return [
    `kappa is depressed by imbalance: percent agreement ${two(kappa.po)}, kappa ${two(kappa.value)}, AC1 ${two(ac1)}`,
  ];
}
