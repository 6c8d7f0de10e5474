import { type BootstrapOptions, type BootstrapResult, bootstrap } from './bootstrap.ts';
import { categoryPositions, inferCategories, type Label } from './contingency.ts';
import { finite } from './estimate.ts';
import { requireSameLength } from './input.ts';
import { kappaOf } from './kappa-bootstrap.ts';
import { multiplier } from './power.ts';
import { at, type WeightOptions } from './table.ts';
import { agreementWeights } from './weights.ts';

export interface CeilingOptions extends WeightOptions {
  categories?: readonly (string | number)[] | undefined;
}

export interface HumanCeiling {
  /** Mean κ of human pairs, and of the judge with each human. */
  humanHuman: number | null;
  judgeHuman: number | null;
  difference: number | null;
  /** judgeHuman / humanHuman; null where humans agree no better than .05. */
  ratio: number | null;
}

export interface CeilingInterval {
  difference: BootstrapResult;
  ratio: BootstrapResult;
  verdict: 'as good as another human' | 'below the human ceiling' | 'cannot tell';
  /** Further items to tell a difference of .05 with power .8, where it cannot be told. */
  itemsNeeded: number | null;
}

/** A difference from the ceiling that does not matter. */
const TOLERATED = -0.05;

/**
 * Does the judge agree with humans as well as they agree among themselves? humans[rater][item]; κ on the items that a
 * pair shares, pairs without a κ left out. Only as good as the humans: with one human there is no ceiling (null).
 */
export function humanCeiling(
  humans: readonly (readonly Label[])[],
  judge: readonly Label[],
  options: CeilingOptions = {},
): HumanCeiling {
  return prepare(humans, judge, options)(judge.map((_, item) => item));
}

/**
 * The ceiling's difference and ratio with percentile bootstrap intervals over items (all labels of an item move
 * together), and the verdict they allow. Cost O(B · raters² · items).
 */
export function ceilingInterval(
  humans: readonly (readonly Label[])[],
  judge: readonly Label[],
  options: CeilingOptions & Omit<BootstrapOptions, 'method'>,
): CeilingInterval {
  const ceiling = prepare(humans, judge, options);
  const percentile = { ...options, method: 'percentile' } as const;
  const difference = bootstrap(judge.length, (items) => ceiling(items).difference, percentile);
  const ratio = bootstrap(judge.length, (items) => ceiling(items).ratio, percentile);
  const verdict = verdictOf(difference);
  const wanted = (multiplier({}) / TOLERATED) ** 2 * judge.length * (difference.se ?? Number.NaN) ** 2;
  const more = Math.max(0, Math.ceil(wanted) - judge.length);
  return { difference, ratio, verdict, itemsNeeded: verdict === 'cannot tell' ? finite(more) : null };
}

function verdictOf({ ci }: BootstrapResult): CeilingInterval['verdict'] {
  if (ci !== null && ci.low >= TOLERATED) return 'as good as another human';
  return ci !== null && ci.high < 0 ? 'below the human ceiling' : 'cannot tell';
}

function prepare(
  humans: readonly (readonly Label[])[],
  judge: readonly Label[],
  options: CeilingOptions,
): (items: readonly number[]) => HumanCeiling {
  for (const labels of humans) requireSameLength(labels, judge);
  const categories = options.categories ?? inferCategories([...humans.flat(), ...judge]);
  const position = categoryPositions(categories);
  const q = categories.length;
  const value = kappaOf(agreementWeights(q, options.weights ?? 'unweighted', options.values));
  const coded = humans.map((labels) => labels.map((label) => position(label) ?? -1));
  const codedJudge = judge.map((label) => position(label) ?? -1);
  const kappa = (a: readonly number[], b: readonly number[], items: readonly number[]) =>
    value(pairCells(a, b, items, q));
  return (items) => {
    const pairs = coded.flatMap((a, index) => coded.slice(index + 1).map((b) => kappa(a, b, items)));
    const humanHuman = meanOf(pairs);
    const judgeHuman = meanOf(coded.map((a) => kappa(a, codedJudge, items)));
    const both = humanHuman !== null && judgeHuman !== null;
    return {
      humanHuman,
      judgeHuman,
      difference: both ? judgeHuman - humanHuman : null,
      ratio: both && humanHuman > 0.05 ? judgeHuman / humanHuman : null,
    };
  };
}

/** Counts of two people's pairs of levels, row by row; −1 is a label that is missing. */
function pairCells(
  a: readonly number[],
  b: readonly number[],
  items: readonly number[],
  q: number,
): number[] {
  const cells = new Array<number>(q * q).fill(0);
  for (const item of items) {
    const [row, column] = [at(a, item), at(b, item)];
    if (row >= 0 && column >= 0) cells[row * q + column] = at(cells, row * q + column) + 1;
  }
  return cells;
}

function meanOf(kappas: readonly (number | null)[]): number | null {
  const known = kappas.filter((kappa) => kappa !== null);
  return known.length === 0 ? null : known.reduce((total, kappa) => total + kappa, 0) / known.length;
}
