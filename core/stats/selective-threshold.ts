import { betaQuantile } from './distribution.ts';
import { requireFraction, requireReal, requireSameLength, requireThat } from './input.ts';
import { at } from './table.ts';

export interface SelectiveThreshold {
  /** Let the judge decide at this confidence or above; null: never. */
  threshold: number | null;
  selected: number;
  /** Share of wrong decisions among those selected, and its upper bound at 1 − delta. */
  risk: number | null;
  upper: number | null;
}

/**
 * The lowest confidence at which a judge may decide alone: with probability 1 − delta at most a share `alpha` of its
 * decisions disagree with humans. Walks `grid` from the top and stops at the first failure (fixed-sequence testing),
 * so the grid must be fixed before looking and start where 30 items or more are selected. Calibrate again after any
 * change of judge or rubric. Source: Jung, Brahman & Choi 2025 (arXiv 2407.18370); Bauer 1991.
 */
export function selectiveThreshold(
  confidence: readonly number[],
  correct: readonly number[],
  { alpha, delta, grid }: { alpha: number; delta: number; grid: readonly number[] },
): SelectiveThreshold {
  requireSameLength(confidence, correct);
  requireReal([...confidence, ...grid], 'confidence and grid');
  requireFraction(alpha, 'alpha');
  requireFraction(delta, 'delta');
  requireThat(
    correct.every((value) => value === 0 || value === 1),
    'correct must be 0 or 1',
  );
  requireThat(
    grid.every((value, index) => index === 0 || value < at(grid, index - 1)),
    'grid must descend',
  );
  let accepted: SelectiveThreshold = { threshold: null, selected: 0, risk: null, upper: null };
  for (const threshold of grid) {
    const chosen = correct.filter((_, item) => at(confidence, item) >= threshold);
    const errors = chosen.filter((value) => value === 0).length;
    const selected = chosen.length;
    const upper = errors === selected ? 1 : betaQuantile(1 - delta, errors + 1, selected - errors);
    if (upper > alpha) break;
    accepted = { threshold, selected, risk: errors / selected, upper };
  }
  return accepted;
}
