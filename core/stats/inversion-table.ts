/**
 * A distribution over whole numbers made ready for inversion: `sums[i]` = chance of at most `first + i`; `start[part]` =
 * where the search begins for a number in that part of (0, 1), of GUIDES equal ones.
 */
export interface InversionTable {
  first: number;
  sums: Float64Array;
  start: Uint16Array;
}

const GUIDES = 64;

/** Chances below this, relative to the likeliest, are less than half a step of a 32-bit number. */
const NOTHING = 2 ** -34;

/** The table of chances that need not sum to 1; the first of them is that of the value `first`. */
export function inversionTable(first: number, chances: ArrayLike<number>): InversionTable {
  const sums = new Float64Array(chances.length);
  let total = 0;
  for (let place = 0; place < sums.length; place++) {
    total += chances[place] ?? 0;
    sums[place] = total;
  }
  const start = new Uint16Array(GUIDES);
  let part = 0;
  sums.forEach((sum, place) => {
    sums[place] = place === sums.length - 1 ? 1 : sum / total;
    while (part < GUIDES && part <= (sums[place] ?? 1) * GUIDES) start[part++] = place;
  });
  return { first, sums, start };
}

/** Poisson's distribution of this mean, at least 0, as far as a 32-bit number can tell. */
export function poissonTable(mean: number): InversionTable {
  const mode = Math.floor(mean);
  // Relative to the mode's, outwards: no power is taken that could underflow.
  const below: number[] = [];
  for (let k = mode, chance = 1; k > 0 && chance > NOTHING; k--) {
    chance *= k / mean;
    below.push(chance);
  }
  const above: number[] = [];
  for (let k = mode, chance = 1; mean > 0 && chance > NOTHING; k++) {
    chance *= mean / (k + 1);
    above.push(chance);
  }
  return inversionTable(mode - below.length, [...below.reverse(), 1, ...above]);
}

/** The value of which `u`, strictly between 0 and 1, is the quantile. */
export function invert({ first, sums, start }: InversionTable, u: number): number {
  let place = start[(u * GUIDES) | 0] ?? 0;
  while (u > (sums[place] ?? 1)) place++;
  return first + place;
}
