import { chanceOf, drawBinomial } from './draw-binomial.ts';
import { inversionTable, invert, poissonTable } from './inversion-table.ts';
import type { RandomStream } from './random.ts';
import { at } from './table.ts';

/** Above this many items counts are drawn instead of items, so that cost does not grow with n. */
const MANY_ITEMS = 200;

/** Draws as many items as `counts` holds from the cells of `counts`. */
export interface CountDrawer {
  /** The counts of a replicate: one array that the next draw refills. */
  draw: (random: RandomStream) => readonly number[];
  /** What is drawn: items one by one, or the count of each cell. */
  by: 'units' | 'cells';
}

/**
 * Resampling of counted items. Up to 200 items: n draws, each an index into the items listed cell by cell. Above: the same
 * distribution by cells, at a cost that n does not change; where cells are many for so few items, by Poisson counts.
 */
export function countDrawer(counts: readonly number[]): CountDrawer {
  const n = counts.reduce((total, count) => total + count, 0);
  if (n <= MANY_ITEMS) return { by: 'units', draw: itemByItem(counts, n) };
  const cells = counts.filter((count) => count > 0).length;
  // A binomial count costs as much as three Poisson counts, and the Poisson counts leave some √n items to draw singly.
  return { by: 'cells', draw: Math.sqrt(n) < 3 * cells ? byPoisson(counts, n) : byBinomial(counts, n) };
}

type Draw = CountDrawer['draw'];

function itemByItem(counts: readonly number[], n: number): Draw {
  const items = counts.flatMap((count, cell) => Array.from({ length: count }, () => cell));
  const drawn = counts.map(() => 0);
  return (random) => {
    drawn.fill(0);
    for (let left = n; left > 0; left--) {
      const cell = at(items, random.index(n));
      drawn[cell] = at(drawn, cell) + 1;
    }
    return drawn;
  };
}

/** Each cell's count is binomial given the cells before it; its chance among the items that they left does not change. */
function byBinomial(counts: readonly number[], n: number): Draw {
  let rest = n;
  const chances = counts.map((count) => {
    const chance = chanceOf(count === 0 ? 0 : count / rest);
    rest -= count;
    return chance;
  });
  const drawn = counts.map(() => 0);
  return (random) => {
    let left = n;
    let cell = 0;
    for (const chance of chances) {
      const taken = drawBinomial(random, left, chance);
      drawn[cell++] = taken;
      left -= taken;
    }
    return drawn;
  };
}

/**
 * Independent Poisson counts are multinomial given their sum. Their mean sum lies √n below n; a sum above n is drawn
 * again, and what is missing is drawn item by item: exact, as both depend on the sum alone.
 */
function byPoisson(counts: readonly number[], n: number): Draw {
  const share = 1 - 1 / Math.sqrt(n);
  const tables = counts.map((count) => poissonTable(count * share));
  const single = inversionTable(0, counts);
  const drawn = counts.map(() => 0);
  return (random) => {
    let left: number;
    do {
      left = n;
      let cell = 0;
      for (const table of tables) {
        const taken = invert(table, random.uniform());
        drawn[cell++] = taken;
        left -= taken;
      }
    } while (left < 0);
    for (; left > 0; left--) {
      const cell = invert(single, random.uniform());
      drawn[cell] = at(drawn, cell) + 1;
    }
    return drawn;
  };
}
