import { tQuantile, tTwoSided } from './distribution.ts';
import { estimate, finite, interval } from './estimate.ts';
import { requireFraction, requireReal, requireSameLength, requireThat } from './input.ts';
import { type LogisticFit, logisticRegression } from './logistic.ts';
import { logistic } from './logistic-fit.ts';
import { mean } from './moments.ts';
import { type RandomStream, randomStream } from './random.ts';
import { type Stat, undefinedStat } from './stat.ts';
import { at } from './table.ts';

/** Pairwise verdicts, one row a verdict; rows of one item (both orders) share its `item`. */
export interface PairwiseVerdicts {
  /** 1 where the judge preferred A, else 0. */
  y: readonly number[];
  /** Human preference: 1 for A, −1 for B, 0 for a tie. */
  human: readonly number[];
  /** ln(tokens of A / tokens of B). */
  logLengthRatio: readonly number[];
  /** 1 where A stood first, −1 second. */
  position: readonly number[];
  item: readonly (string | number)[];
}

export interface Verbosity extends Stat {
  p: number | null;
  /** Odds of preferring A for each doubling of its length. */
  oddsRatioPerDoubling: number | null;
  /** Share that would prefer A at equal length and position, and as observed. */
  lcWinRate: number | null;
  rawWinRate: number | null;
  /** The data were separated: a ridge fit, p by permutation, no interval. */
  regularised: boolean;
}

/**
 * Does a judge prefer the longer answer at equal human preference? Change of P(prefer A) for each doubling of A's length
 * (average marginal effect of a logistic model), errors clustered by item, t with G − 1 degrees of freedom.
 * Assumes human preference is measured without much error; a rest of true quality in length counts as bias.
 * Source: after Dubois et al. 2024, with a human term; standard error by the delta method.
 */
export function pairwiseVerbosity(
  verdicts: PairwiseVerdicts,
  options: { seed: number; B?: number; level?: number },
): Verbosity {
  const { level = 0.95, seed, B = 199 } = options;
  const { y, human, logLengthRatio, position, item } = checked(verdicts);
  requireFraction(level, 'level');
  const columns = y.map((_, row) => [at(human, row), at(logLengthRatio, row), at(position, row)]);
  const raw = finite(mean(y));
  const fit = logisticRegression(y, columns, { cluster: item });
  const separated = fit.reason === 'SEPARATION';
  const used = separated ? logisticRegression(y, columns, { ridge: true }) : fit;
  const { coef } = used;
  const blank = {
    p: null,
    oddsRatioPerDoubling: null,
    lcWinRate: null,
    rawWinRate: raw,
    regularised: separated,
  };
  if (coef === null) return { ...undefinedStat(used.reason ?? 'NOT_CONVERGED', y.length), ...blank };
  const effect = doublingEffect(coef, columns);
  const shared = {
    oddsRatioPerDoubling: finite(Math.exp(at(coef, LENGTH) * Math.LN2)),
    lcWinRate: mean(human.map((preference) => logistic(at(coef, 0) + at(coef, 1) * preference))),
    rawWinRate: raw,
    regularised: separated,
  };
  if (separated) {
    const p = permutationP(y, columns, item, at(coef, LENGTH), { random: randomStream(seed), B });
    const parts = {
      status: 'degenerate',
      reason: 'SEPARATION',
      notes: ['regularised; p by permutation'],
    } as const;
    return {
      ...estimate({ value: effect.value, n: fit.n, ...parts, notes: [...parts.notes] }),
      p,
      ...shared,
    };
  }
  const se = deltaError(effect.gradient, fit);
  const df = fit.clusters - 1;
  const margin = df < 1 ? Number.NaN : tQuantile((1 + level) / 2, df) * se;
  const ci = interval(effect.value - margin, effect.value + margin, level, 'delta method, t by item');
  const { status, notes } = fit;
  const seLength = fit.seCluster?.[LENGTH] ?? Number.NaN;
  const p = df < 1 ? null : finite(tTwoSided(at(coef, LENGTH) / seLength, df));
  return { ...estimate({ value: effect.value, se, ci, n: fit.n, status, notes }), p, ...shared };
}

/** Place of the length term among the coefficients. */
const LENGTH = 2;

/** Mean of σ(η + β ln 2) − σ(η), and its derivative by each coefficient. */
function doublingEffect(
  coef: readonly number[],
  columns: readonly number[][],
): { value: number; gradient: number[] } {
  const gradient = coef.map(() => 0);
  const n = columns.length;
  let value = 0;
  for (const column of columns) {
    const row = [1, ...column];
    const eta = row.reduce((sum, x, j) => sum + x * at(coef, j), 0);
    const doubled = logistic(eta + at(coef, LENGTH) * Math.LN2);
    const base = logistic(eta);
    value += (doubled - base) / n;
    const [up, down] = [doubled * (1 - doubled), base * (1 - base)];
    row.forEach((x, j) => {
      gradient[j] = at(gradient, j) + (up * (x + (j === LENGTH ? Math.LN2 : 0)) - down * x) / n;
    });
  }
  return { value, gradient };
}

function deltaError(gradient: readonly number[], { covariance }: LogisticFit): number {
  if (covariance === null) return Number.NaN;
  const quadratic = covariance.reduce(
    (total, row, i) =>
      total + at(gradient, i) * row.reduce((sum, value, j) => sum + value * at(gradient, j), 0),
    0,
  );
  return Math.sqrt(Math.max(0, quadratic));
}

/** Share of random signs of the length term (one an item) that give a ridge slope as large. */
function permutationP(
  y: readonly number[],
  columns: readonly number[][],
  item: readonly (string | number)[],
  slope: number,
  { random, B }: { random: RandomStream; B: number },
): number {
  let reached = 0;
  const items = [...new Set(item)];
  for (let b = 0; b < B; b++) {
    const signs = new Map(items.map((id) => [id, random.sign()]));
    const flipped = columns.map((row, index) =>
      row.map((value, j) => (j === LENGTH - 1 ? value * (signs.get(item[index] ?? '') ?? 1) : value)),
    );
    const other = logisticRegression(y, flipped, { ridge: true }).coef?.[LENGTH] ?? 0;
    if (Math.abs(other) >= Math.abs(slope) - 1e-12) reached++;
  }
  return (1 + reached) / (B + 1);
}

function checked(verdicts: PairwiseVerdicts): PairwiseVerdicts {
  const { y, human, logLengthRatio, position, item } = verdicts;
  for (const column of [human, logLengthRatio, position, item]) requireSameLength(y, column);
  requireReal(logLengthRatio, 'logLengthRatio');
  requireThat(
    y.every((value) => value === 0 || value === 1),
    'y must be 0 or 1',
  );
  requireThat(
    human.every((value) => value === 0 || Math.abs(value) === 1),
    'human must be -1, 0 or 1',
  );
  requireThat(
    position.every((value) => Math.abs(value) === 1),
    'position must be -1 or 1',
  );
  return verdicts;
}
