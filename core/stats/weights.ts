import { requireReal, requireSameLength, requireThat } from './input.ts';

/**
 * How much a pair of categories agrees: 1 on the diagonal, 0 for the worst pair.
 * A matrix of your own holds agreement weights; from disagreement weights v take 1 − v / max v.
 */
export type Weights = 'unweighted' | 'linear' | 'quadratic' | readonly (readonly number[])[];

/**
 * The q × q matrix of agreement weights; `values` places levels that are not equally spaced.
 * linear 1 − |xᵢ − xⱼ| / range, quadratic 1 − ((xᵢ − xⱼ) / range)². Source: Cohen 1968.
 * Throws INVALID_INPUT for a matrix whose diagonal is not 1 or whose entries leave [0, 1].
 */
export function agreementWeights(q: number, weights: Weights, values?: readonly number[]): number[][] {
  if (typeof weights !== 'string') return checkedMatrix(q, weights);
  const places = values ?? Array.from({ length: q }, (_, index) => index);
  requireSameLength(places, { length: q });
  requireReal(places, 'level values');
  const range = Math.max(...places) - Math.min(...places);
  requireThat(q < 2 || range > 0, 'level values must differ');
  return places.map((x, i) =>
    places.map((y, j) => {
      if (i === j) return 1;
      if (weights === 'unweighted') return 0;
      const distance = Math.abs(x - y) / range;
      return weights === 'linear' ? 1 - distance : 1 - distance * distance;
    }),
  );
}

function checkedMatrix(q: number, matrix: readonly (readonly number[])[]): number[][] {
  requireSameLength(matrix, { length: q });
  return matrix.map((row, i) => {
    requireSameLength(row, { length: q });
    requireThat(row[i] === 1, 'agreement weights must be 1 on the diagonal');
    requireThat(
      row.every((weight) => weight >= 0 && weight <= 1),
      'agreement weights must lie in [0, 1]',
    );
    return [...row];
  });
}
