import { requireCount, requireFraction } from './input.ts';
import { type IsotonicMap, isotonic, isotonicPredict } from './isotonic.ts';
import { type PlattMap, platt, plattPredict } from './platt.ts';
import { quantile7 } from './quantile.ts';
import { randomStream } from './random.ts';
import { at } from './table.ts';

/** How a judge's scores become probabilities of passing. */
export type ScoreMap = { kind: 'isotonic'; map: IsotonicMap } | { kind: 'platt'; map: PlattMap };

/** Fewer labels than this leave isotonic regression too free. */
const ISOTONIC_LABELS = 50;

/** The map that the number of labels (0 or 1) allows: isotonic from 50 on, Platt below. */
export function scoreMap(scores: readonly number[], y: readonly number[]): ScoreMap {
  return scores.length >= ISOTONIC_LABELS
    ? { kind: 'isotonic', map: isotonic(scores, y) }
    : { kind: 'platt', map: platt(scores, y) };
}

/** Probabilities of passing at these scores; null where the map does not exist. */
export function predictScores(map: ScoreMap, queries: readonly number[]): (number | null)[] {
  return map.kind === 'isotonic'
    ? isotonicPredict(map.map, queries)
    : queries.map((query) => plattPredict(map.map, query));
}

export interface ScoreBand {
  score: number;
  value: number | null;
  /** Percentile bootstrap ends over items; null where too few replicates have a map. */
  low: number | null;
  high: number | null;
}

/** The map at these scores with a pointwise percentile bootstrap band over items, all scores from the same replicates. */
export function scoreBand(
  scores: readonly number[],
  y: readonly number[],
  queries: readonly number[],
  { seed, B = 500, level = 0.95 }: { seed: number; B?: number; level?: number },
): ScoreBand[] {
  requireCount(B, 'B', 1);
  requireFraction(level, 'level');
  const values = predictScores(scoreMap(scores, y), queries);
  const random = randomStream(seed);
  const replicates = queries.map((): number[] => []);
  for (let b = 0; b < B; b++) {
    const items = scores.map(() => random.index(scores.length));
    const drawn = scoreMap(
      items.map((item) => at(scores, item)),
      items.map((item) => at(y, item)),
    );
    predictScores(drawn, queries).forEach((value, index) => {
      if (value !== null) replicates[index]?.push(value);
    });
  }
  return queries.map((score, index) => {
    const drawn = replicates[index] ?? [];
    const enough = drawn.length >= 0.8 * B;
    const end = (p: number) => (enough ? quantile7(drawn, p) : null);
    return { score, value: values[index] ?? null, low: end((1 - level) / 2), high: end((1 + level) / 2) };
  });
}
