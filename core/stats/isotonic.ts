import { requirePositive, requireReal, requireSameLength } from './input.ts';
import { at } from './table.ts';

/** A non-decreasing step map from judge score to expected human label. */
export interface IsotonicMap {
  /** Distinct scores ascending, and the fitted value at each. */
  x: number[];
  fitted: number[];
}

/**
 * Isotonic regression: the non-decreasing map of x to y with the least weighted squared error. Tied x are pooled first.
 * Needs 50 labels or more to calibrate a judge; below that use Platt. Source: Barlow et al. 1972 (pool adjacent violators).
 */
export function isotonic(
  x: readonly number[],
  y: readonly number[],
  weights: readonly number[] = x.map(() => 1),
): IsotonicMap {
  requireSameLength(x, y);
  requireSameLength(x, weights);
  requireReal(x, 'x');
  requireReal(y, 'y');
  requirePositive(weights, 'weights');
  const points = pooled(x, y, weights);
  const blocks: Block[] = [];
  for (const point of points) {
    let block: Block = { y: point.y, weight: point.weight, size: 1 };
    for (let last = blocks.at(-1); last !== undefined && last.y >= block.y; last = blocks.at(-1)) {
      blocks.pop();
      const weight = last.weight + block.weight;
      const y = (last.y * last.weight + block.y * block.weight) / weight;
      block = { y, weight, size: last.size + block.size };
    }
    blocks.push(block);
  }
  return {
    x: points.map((point) => point.x),
    fitted: blocks.flatMap(({ y, size }) => Array.from({ length: size }, () => y)),
  };
}

/** The map at new scores: linear between fitted scores, constant beyond the ends; null for an empty map. */
export function isotonicPredict(map: IsotonicMap, queries: readonly number[]): (number | null)[] {
  requireReal(queries, 'queries');
  const last = map.x.length - 1;
  return queries.map((query) => {
    if (last < 0) return null;
    if (query <= at(map.x, 0)) return at(map.fitted, 0);
    if (query >= at(map.x, last)) return at(map.fitted, last);
    const above = firstAtLeast(map.x, query);
    const [low, high] = [at(map.x, above - 1), at(map.x, above)];
    const share = (query - low) / (high - low);
    return at(map.fitted, above - 1) * (1 - share) + at(map.fitted, above) * share;
  });
}

interface Block {
  y: number;
  weight: number;
  size: number;
}

interface Point {
  x: number;
  y: number;
  weight: number;
}

/** One point for each distinct x: weighted mean of y, sum of weights. */
function pooled(x: readonly number[], y: readonly number[], weights: readonly number[]): Point[] {
  const order = x.map((_, index) => index).sort((i, j) => at(x, i) - at(x, j));
  const points: Point[] = [];
  for (const index of order) {
    const last = points.at(-1);
    const [value, weight] = [at(y, index), at(weights, index)];
    if (last === undefined || last.x !== at(x, index)) points.push({ x: at(x, index), y: value, weight });
    else {
      last.y = (last.y * last.weight + value * weight) / (last.weight + weight);
      last.weight += weight;
    }
  }
  return points;
}

/** Index of the first value of an ascending list that is at least `target`. */
function firstAtLeast(sorted: readonly number[], target: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at(sorted, middle) < target) low = middle + 1;
    else high = middle;
  }
  return low;
}
