import { type BootstrapOptions, type BootstrapResult, bootstrap } from './bootstrap.ts';
import { normalMultiplier, normalTwoSided } from './distribution.ts';
import { estimate, finite, interval } from './estimate.ts';
import { requireFraction, requireReal } from './input.ts';
import { mean, variance } from './moments.ts';
import { type Stat, undefinedStat } from './stat.ts';

/** Judge score − human score of answers by one model family, judged by another. */
export interface FamilyCell {
  judgeFamily: string;
  authorFamily: string;
  residuals: readonly number[];
}

export interface SelfPreference extends Stat {
  p: number | null;
}

/** Fewer items than this in a cell decide nothing. */
const CELL_ITEMS = 30;

/**
 * Does a family's judge favour its own answers? Difference in differences of residuals:
 * [own judge on own − on others] − [other judges on own − on others]: leniency and quality cancel. Every other family
 * counts once. Assumes cells of different items; items judged by several judges: selfPreferenceInterval.
 * EMPTY without all four kinds of cell; below 30 items a cell: insufficient. A judge also prefers wrong answers to
 * questions that it gets wrong itself: look at the items that it answers correctly too. Source: Wataoka et al. 2024.
 */
export function selfPreference(cells: readonly FamilyCell[], family: string, level = 0.95): SelfPreference {
  requireFraction(level, 'level');
  for (const { residuals } of cells) requireReal(residuals, 'residuals');
  const groups = contrasts(cells, family);
  const used = cells.filter(({ residuals }) => residuals.length > 0);
  const n = used.reduce((total, { residuals }) => total + residuals.length, 0);
  if (groups === null) return { ...undefinedStat('EMPTY', n), p: null };
  const value = groups.reduce((total, { sign, cells: group }) => total + sign * groupMean(group), 0);
  const spread = groups.reduce((total, { cells: group }) => {
    const errors = group.map(({ residuals }) => variance(residuals) / residuals.length);
    return total + errors.reduce((sum, error) => sum + error, 0) / group.length ** 2;
  }, 0);
  const se = finite(Math.sqrt(spread));
  const margin = normalMultiplier(level) * (se ?? Number.NaN);
  const small = used.some(({ residuals }) => residuals.length < CELL_ITEMS);
  const stat = estimate({
    value,
    se,
    ci: interval(value - margin, value + margin, level, 'normal'),
    n,
    ...(small && { status: 'insufficient', reason: 'TOO_FEW_CALIBRATION' }),
  });
  return { ...stat, p: se === null || se === 0 ? null : normalTwoSided(value / se) };
}

/** One judged answer: items that several judges scored keep their residuals together. */
export interface JudgedAnswer {
  item: string;
  judgeFamily: string;
  authorFamily: string;
  residual: number;
}

/** selfPreference with a bootstrap interval over items, for items judged by several judges. */
export function selfPreferenceInterval(
  answers: readonly JudgedAnswer[],
  family: string,
  options: BootstrapOptions,
): BootstrapResult {
  const byItem = new Map<string, JudgedAnswer[]>();
  for (const answer of answers) byItem.set(answer.item, [...(byItem.get(answer.item) ?? []), answer]);
  const items = [...byItem.values()];
  return bootstrap(
    items.length,
    (drawn) => {
      const groups = contrasts(familyCells(drawn.flatMap((item) => items[item] ?? [])), family);
      if (groups === null) return null;
      return groups.reduce((total, { sign, cells }) => total + sign * groupMean(cells), 0);
    },
    options,
  );
}

/** Groups answers into cells of the judge family × author family matrix. */
export function familyCells(answers: readonly JudgedAnswer[]): FamilyCell[] {
  const cells = new Map<string, FamilyCell & { residuals: number[] }>();
  for (const { judgeFamily, authorFamily, residual } of answers) {
    const key = JSON.stringify([judgeFamily, authorFamily]);
    const cell = cells.get(key) ?? { judgeFamily, authorFamily, residuals: [] };
    cell.residuals.push(residual);
    cells.set(key, cell);
  }
  return [...cells.values()];
}

/** The four kinds of cell with their signs; null unless each has residuals. */
function contrasts(
  cells: readonly FamilyCell[],
  family: string,
): { sign: 1 | -1; cells: FamilyCell[] }[] | null {
  const kinds = [true, false].flatMap((ownJudge) =>
    [true, false].map((ownAuthor) => ({
      sign: ownJudge === ownAuthor ? (1 as const) : (-1 as const),
      cells: cells.filter(
        (cell) =>
          cell.residuals.length > 0 &&
          (cell.judgeFamily === family) === ownJudge &&
          (cell.authorFamily === family) === ownAuthor,
      ),
    })),
  );
  return kinds.every((kind) => kind.cells.length > 0) ? kinds : null;
}

function groupMean(cells: readonly FamilyCell[]): number {
  return mean(cells.map(({ residuals }) => mean(residuals)));
}
