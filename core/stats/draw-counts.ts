import { chanceOf, drawBinomial } from './draw-binomial.ts';
import type { RandomStream } from './random.ts';
import { at } from './table.ts';

/** Above this many items counts are drawn instead of items, so that cost does not grow with n. */
const MANY_ITEMS = 200;

/** Draws as many items as `counts` holds from the cells of `counts`, and gives the counts of a replicate. */
export interface CountDrawer {
  draw: (random: RandomStream) => number[];
  /** What is drawn: items one by one, or the count of each cell. */
  by: 'units' | 'cells';
}

/**
 * Resampling of counted items. Up to 200 items: n draws, each an index into the items listed cell by cell. Above: the same
 * distribution by cells, each cell's count binomial given the cells before it, at a cost that n does not change.
 */
export function countDrawer(counts: readonly number[]): CountDrawer {
  const n = counts.reduce((total, count) => total + count, 0);
  if (n > MANY_ITEMS) return { by: 'cells', draw: multinomial(counts, n) };
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

/** Each cell's chance among the items that the cells before it left does not change between replicates. */
function multinomial(counts: readonly number[], n: number): (random: RandomStream) => number[] {
  let rest = n;
  const chances = counts.map((count) => {
    const chance = chanceOf(count === 0 ? 0 : count / rest);
    rest -= count;
    return chance;
  });
  return (random) => {
    const drawn: number[] = [];
    let left = n;
    for (const chance of chances) {
      const taken = drawBinomial(random, left, chance);
      drawn.push(taken);
      left -= taken;
    }
    return drawn;
  };
}
