import { quantileSorted } from 'd3-array';

/**
 * The p-quantile of `values` (0..1) by Hyndman and Fan's type 7, the rule of R and numpy; null without values.
 * Source: Hyndman & Fan 1996. Use `quantile7Sorted` for many quantiles of one sample.
 */
export function quantile7(values: readonly number[], p: number): number | null {
  return quantile7Sorted(
    [...values].sort((x, y) => x - y),
    p,
  );
}

/** Type-7 quantile of values that are already ascending; null without values. */
export function quantile7Sorted(sorted: number[], p: number): number | null {
  return quantileSorted(sorted, p) ?? null;
}
