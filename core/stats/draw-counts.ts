import binomial from '@stdlib/stats-base-dists-binomial';
import type { RandomStream } from './random.ts';
import { at } from './table.ts';

/** Above this many items counts are drawn instead of items, so that cost does not grow with n. */
const MANY_ITEMS = 2000;

/** Draws as many items as `counts` holds from the cells of `counts`, and gives the counts of a replicate. */
export interface CountDrawer {
  draw: (random: RandomStream) => number[];
  /** One number an item, or one number a cell. */
  by: 'units' | 'cells';
}

/**
 * Resampling of counted items. Up to 2000 items: n draws, each an index into the items listed cell by cell. Above: a
 * multinomial, each cell's count binomial given the cells before it, by inversion of one uniform number.
 */
export function countDrawer(counts: readonly number[]): CountDrawer {
  const n = counts.reduce((total, count) => total + count, 0);
  if (n > MANY_ITEMS) return { by: 'cells', draw: (random) => multinomial(counts, n, random) };
  const items = counts.flatMap((count, cell) => Array.from({ length: count }, () => cell));
  return {
    by: 'units',
    draw: (random) => {
      const drawn = counts.map(() => 0);
      for (let left = n; left > 0; left--) {
        const cell = at(items, random.index(n));
        drawn[cell] = at(drawn, cell) + 1;
      }
      return drawn;
    },
  };
}

function multinomial(counts: readonly number[], n: number, random: RandomStream): number[] {
  let left = n;
  let rest = n;
  return counts.map((count) => {
    const u = random.uniform();
    const drawn =
      count === rest ? left : left === 0 || count === 0 ? 0 : binomial.quantile(u, left, count / rest);
    left -= drawn;
    rest -= count;
    return drawn;
  });
}
