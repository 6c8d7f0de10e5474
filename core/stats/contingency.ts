import { requireReal, requireSameLength, requireThat } from './input.ts';
import { StatsInputError } from './stat.ts';

/** What one rater said of one item. Missing is null, undefined, NaN or the empty text. */
export type Label = string | number | null | undefined;

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
  a: readonly Label[],
  b: readonly Label[],
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

/** Pairs of levels 0 to 31 counted as they stand, which is far faster than looking each label up; `others` by place. */
function tallied(a: readonly Label[], b: readonly Label[]): { tally: Int32Array; others: number[] } {
  const tally = new Int32Array(SMALL * SMALL);
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
