import { LuDecomposition, Matrix } from 'ml-matrix';
import { requireTable, type Table } from './contingency.ts';
import { finite } from './estimate.ts';
import { requireProbability, requireReal, requireSameLength, requireThat } from './input.ts';
import type { Reason, Stat } from './stat.ts';
import { at } from './table.ts';

export interface ConfusionInversion {
  /** Shares of the human levels, none negative; null where they cannot be told apart. */
  pi: number[] | null;
  /** C⁻¹p, which may leave the simplex. */
  piRaw: number[] | null;
  /** Σ score × share. */
  meanScore: number | null;
  status: Stat['status'];
  reason?: Reason;
  /** Expectation-maximisation steps; 0 where the inverse is inside the simplex. */
  steps: number;
}

/** Beyond this the levels cannot be told apart by the judge: merge some. */
const LARGEST_CONDITION = 1e3;

/**
 * Shares of human levels behind a judge's shares, from C[judge][human] = P(judge says i | human says j), columns summing
 * to 1: the inverse where it is inside the simplex, else the maximum likelihood there (EM). For labels that come from
 * elsewhere; on a random sample use correctedPassRate's form, P(human | judge). With two levels it is Rogan-Gladen.
 * SINGULAR_CONFUSION for a badly conditioned C; NOT_CONVERGED after maxSteps.
 */
export function confusionInversion(
  judgeGivenHuman: readonly (readonly number[])[],
  judgeShares: readonly number[],
  options: { scores?: readonly number[]; maxSteps?: number } = {},
): ConfusionInversion {
  const { scores, maxSteps = 200_000 } = options;
  requireShares(judgeGivenHuman, judgeShares);
  if (scores !== undefined) {
    requireSameLength(scores, judgeShares);
    requireReal(scores, 'scores');
  }
  const none = { pi: null, piRaw: null, meanScore: null, steps: 0 };
  const inverted = wellConditioned(judgeGivenHuman);
  if (inverted === null) return { ...none, status: 'undefined', reason: 'SINGULAR_CONFUSION' };
  const piRaw = inverted.mmul(Matrix.columnVector([...judgeShares])).to1DArray();
  const inside = piRaw.every((share) => share >= 0);
  const { pi, steps } = inside ? { pi: piRaw, steps: 0 } : maximise(judgeGivenHuman, judgeShares, maxSteps);
  const meanScore =
    scores === undefined ? null : finite(scores.reduce((sum, score, j) => sum + score * at(pi, j), 0));
  const late = steps >= maxSteps ? ({ status: 'insufficient', reason: 'NOT_CONVERGED' } as const) : null;
  return { pi, piRaw, meanScore, steps, ...(late ?? { status: 'ok' }) };
}

/** P(judge = i | human = j) from a table with human rows and judge columns; null where a human level has no label. */
export function judgeGivenHuman(table: Table): number[][] | null {
  requireTable(table);
  const totals = table.map((row) => row.reduce((sum, count) => sum + count, 0));
  if (totals.some((total) => total === 0)) return null;
  return table.map((_, i) => table.map((row, j) => at(row, i) / at(totals, j)));
}

function wellConditioned(c: readonly (readonly number[])[]): Matrix | null {
  const matrix = new Matrix(c.map((row) => [...row]));
  const factors = new LuDecomposition(matrix);
  if (factors.isSingular()) return null;
  const inverted = factors.solve(Matrix.eye(matrix.rows));
  const condition = columnNorm(matrix) * columnNorm(inverted);
  return condition <= LARGEST_CONDITION ? inverted : null;
}

function columnNorm(matrix: Matrix): number {
  return Math.max(
    ...matrix
      .to2DArray()
      .reduce<number[]>((sums, row) => row.map((v, j) => (sums[j] ?? 0) + Math.abs(v)), []),
  );
}

/** π_j ← π_j Σ_i C_ij p_i / (Cπ)_i from uniform, until no share moves by 1e-12. */
function maximise(
  c: readonly (readonly number[])[],
  p: readonly number[],
  maxSteps: number,
): { pi: number[]; steps: number } {
  let pi = p.map(() => 1 / p.length);
  for (let steps = 1; steps <= maxSteps; steps++) {
    const fitted = c.map((row) => row.reduce((sum, value, j) => sum + value * at(pi, j), 0));
    const next = pi.map((share, j) => {
      const pull = c.reduce(
        (sum, row, i) => (at(p, i) === 0 ? sum : sum + (at(row, j) * at(p, i)) / at(fitted, i)),
        0,
      );
      return share * pull;
    });
    const moved = Math.max(...next.map((share, j) => Math.abs(share - at(pi, j))));
    pi = next;
    if (moved < 1e-12) return { pi, steps };
  }
  return { pi, steps: maxSteps };
}

function requireShares(c: readonly (readonly number[])[], p: readonly number[]): void {
  requireSameLength(c, p);
  requireThat(p.length > 0, 'at least one level is needed');
  for (const row of c) {
    requireSameLength(row, p);
    for (const share of row) requireProbability(share, 'P(judge | human)');
  }
  for (const share of p) requireProbability(share, 'a judge share');
  const sums = p.map((_, j) => c.reduce((sum, row) => sum + at(row, j), 0));
  for (const sum of [...sums, p.reduce((total, share) => total + share, 0)]) {
    requireThat(Math.abs(sum - 1) < 1e-6, `shares must sum to 1, got ${sum}`);
  }
}
