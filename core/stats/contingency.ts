import { requireReal, requireSameLength, requireThat } from './input.ts';
import { StatsInputError } from './stat.ts';

/** What one rater said of one item. Missing is null, undefined, NaN or the empty text. */
export type Label = string | number | null | undefined;

/** One rater's labels, item by item; whole numbers are counted fastest as Int32Array, which has no missing ones. */
export type Labels = readonly Label[] | Int32Array;

/** table[i][j]: how many items rater A (human, version A) put in category i and rater B (judge) in j. */
export type Table = readonly (readonly number[])[];

export interface Contingency {
  table: number[][];
  nMissing: number;
  categories: (string | number)[];
}

/**
 * Counts two raters' labels, item by item; items that either rater left out are counted in `nMissing`.
 * Give `categories` from the rubric, in its order: chance agreement depends on levels nobody used.
 * Without them they are inferred: numbers ascending, then texts by code unit.
 * Throws LENGTH_MISMATCH, and UNKNOWN_LABEL for a label outside `categories`.
 */
export function contingencyTable(
  a: Labels,
  b: Labels,
  categories: readonly (string | number)[] = inferCategories([...a, ...b]),
): Contingency {
  requireSameLength(a, b);
  const position = categoryPositions(categories);
  const table = categories.map(() => categories.map(() => 0));
  let nMissing = 0;
  const count = (left: Label, right: Label, items: number) => {
    const row = position(left);
    const column = position(right);
    const cells = row === null || column === null ? undefined : table[row];
    if (cells === undefined || column === null) nMissing += items;
    else cells[column] = (cells[column] ?? 0) + items;
  };
  const { tally, others } = tallied(a, b);
  tally.forEach((items, pair) => {
    if (items > 0) count(pair >> BITS, pair & (SMALL - 1), items);
  });
  for (const item of others) count(a[item], b[item], 1);
  return { table, nMissing, categories: [...categories] };
}

const BITS = 5;
const SMALL = 1 << BITS;
const PAIRS = SMALL * SMALL;

/** Pairs of levels 0 to 31 counted as they stand, which is far faster than looking each label up; `others` by place. */
function tallied(a: Labels, b: Labels): { tally: Int32Array; others: number[] } {
  return a instanceof Int32Array && b instanceof Int32Array ? talliedNumbers(a, b) : talliedLabels(a, b);
}

/** Four tallies in turn: equal pairs often follow each other, and the next need not wait for the last one's sum. */
function talliedNumbers(a: Int32Array, b: Int32Array): { tally: Int32Array; others: number[] } {
  const tallies = new Int32Array(4 * PAIRS);
  const others: number[] = [];
  let item = 0;
  for (; item + 3 < a.length; item += 4) {
    const a0 = a[item] ?? 0;
    const a1 = a[item + 1] ?? 0;
    const a2 = a[item + 2] ?? 0;
    const a3 = a[item + 3] ?? 0;
    const b0 = b[item] ?? 0;
    const b1 = b[item + 1] ?? 0;
    const b2 = b[item + 2] ?? 0;
    const b3 = b[item + 3] ?? 0;
    if (((a0 | a1 | a2 | a3 | b0 | b1 | b2 | b3) & -SMALL) !== 0) {
      others.push(item, item + 1, item + 2, item + 3);
      continue;
    }
    const pair0 = (a0 << BITS) | b0;
    const pair1 = PAIRS | (a1 << BITS) | b1;
    const pair2 = (2 * PAIRS) | (a2 << BITS) | b2;
    const pair3 = (3 * PAIRS) | (a3 << BITS) | b3;
    tallies[pair0] = (tallies[pair0] ?? 0) + 1;
    tallies[pair1] = (tallies[pair1] ?? 0) + 1;
    tallies[pair2] = (tallies[pair2] ?? 0) + 1;
    tallies[pair3] = (tallies[pair3] ?? 0) + 1;
  }
  for (; item < a.length; item++) others.push(item);
  const tally = tallies.slice(0, PAIRS);
  for (let pair = PAIRS; pair < tallies.length; pair++) {
    tally[pair % PAIRS] = (tally[pair % PAIRS] ?? 0) + (tallies[pair] ?? 0);
  }
  return { tally, others };
}

function talliedLabels(a: Labels, b: Labels): { tally: Int32Array; others: number[] } {
  const tally = new Int32Array(PAIRS);
  const others: number[] = [];
  for (let item = 0; item < a.length; item++) {
    const left = a[item];
    const right = b[item];
    if (typeof left === 'number' && typeof right === 'number') {
      const [i, j] = [left | 0, right | 0];
      if (i === left && j === right && i >= 0 && j >= 0 && i < SMALL && j < SMALL) {
        const pair = (i << BITS) | j;
        tally[pair] = (tally[pair] ?? 0) + 1;
        continue;
      }
    }
    others.push(item);
  }
  return { tally, others };
}

export function isMissing(label: Label): label is null | undefined {
  return label === null || label === undefined || label === '' || Number.isNaN(label);
}

/** The categories that occur: numbers ascending, then texts by code unit. */
export function inferCategories(labels: Iterable<Label>): (string | number)[] {
  const seen = new Set<string | number>();
  for (const label of labels) if (!isMissing(label)) seen.add(label);
  const numbers = [...seen].filter((label) => typeof label === 'number').sort((x, y) => x - y);
  return [...numbers, ...[...seen].filter((label) => typeof label === 'string').sort()];
}

/** Turns labels into positions in `categories`, null where missing; throws UNKNOWN_LABEL. */
export function categoryPositions(categories: readonly (string | number)[]): (label: Label) => number | null {
  const positions = new Map(categories.map((category, index) => [category, index]));
  requireThat(positions.size === categories.length, 'categories must differ from each other');
  return (label) => {
    if (isMissing(label)) return null;
    const position = positions.get(label);
    if (position === undefined) {
      throw new StatsInputError('UNKNOWN_LABEL', `label ${JSON.stringify(label)} is not a category`);
    }
    return position;
  };
}

/** Checks that a table is square with counts of at least 0. */
export function requireTable(table: Table): void {
  for (const row of table) {
    requireThat(row.length === table.length, 'a table of agreement must be square');
    requireReal(row, 'table');
    requireThat(
      row.every((count) => count >= 0),
      'counts must not be negative',
    );
  }
}
