import type { Table } from './contingency.ts';
import { normalMultiplier } from './distribution.ts';
import { interval } from './estimate.ts';
import { requireFraction } from './input.ts';
import { discordant } from './mcnemar.ts';
import type { Interval } from './stat.ts';
import { wilsonEnds } from './wilson.ts';

/**
 * Newcombe's square-and-add interval (method 10) of the paired difference (onlyB − onlyA) / n; null without items.
 * For comparison with papers; the product shows Bonett-Price. Source: Newcombe 1998.
 */
export function newcombePaired(table: Table, level = 0.95): Interval | null {
  requireFraction(level, 'level');
  const { onlyA, onlyB, n } = discordant(table);
  const a = table[0]?.[0] ?? 0;
  const d = n - a - onlyA - onlyB;
  const z = normalMultiplier(level);
  const [pA, pB] = [(a + onlyA) / n, (a + onlyB) / n];
  const [endsA, endsB] = [wilsonEnds(pA, n, z), wilsonEnds(pB, n, z)];
  const phi = pairedPhi(a, onlyA, onlyB, d, n);
  const span = (x: number, y: number) => Math.sqrt(Math.max(0, x * x - 2 * phi * x * y + y * y));
  const difference = (onlyB - onlyA) / n;
  const low = difference - span(pB - endsB.low, endsA.high - pA);
  const high = difference + span(endsB.high - pB, pA - endsA.low);
  return interval(low, high, level, 'newcombe 10', [-1, 1]);
}

/**
 * Tango's score interval of the paired difference, found by bisection to 1e-12; null without items. Source: Tango 1998.
 */
export function tangoPaired(table: Table, level = 0.95): Interval | null {
  requireFraction(level, 'level');
  const { onlyA, onlyB, n } = discordant(table);
  if (n === 0) return null;
  const z = normalMultiplier(level);
  const difference = (onlyB - onlyA) / n;
  const score = (delta: number) => tangoScore(onlyA, onlyB, n, delta);
  const low = bisect((delta) => score(delta) - z, -1, difference);
  const high = bisect((delta) => -z - score(delta), 1, difference);
  return interval(low, high, level, 'tango', [-1, 1]);
}

/** Newcombe's φ with the continuity correction of a positive numerator. */
function pairedPhi(a: number, b: number, c: number, d: number, n: number): number {
  const product = Math.sqrt((a + b) * (c + d) * (a + c) * (b + d));
  if (product === 0) return 0;
  const cross = a * d - b * c;
  return (cross > 0 ? Math.max(cross - n / 2, 0) : cross) / product;
}

/** Score statistic of a true difference `delta` with the nuisance proportion at its restricted estimate. */
function tangoScore(onlyA: number, onlyB: number, n: number, delta: number): number {
  const linear = -onlyA - onlyB + (2 * n - onlyB + onlyA) * delta;
  const root = Math.sqrt(Math.max(0, linear * linear - 8 * n * -onlyA * delta * (1 - delta)));
  const q = (root - linear) / (4 * n);
  const spread = Math.max(0, n * (2 * q + delta * (1 - delta)));
  return spread === 0 ? 0 : (onlyB - onlyA - n * delta) / Math.sqrt(spread);
}

/** The point between `outer` (where f > 0) and `inner` (where f < 0) at which f changes sign. */
function bisect(f: (x: number) => number, outer: number, inner: number): number {
  let [far, near] = [outer, inner];
  for (let step = 0; step < 60; step++) {
    const middle = (far + near) / 2;
    if (f(middle) > 0) far = middle;
    else near = middle;
  }
  return (far + near) / 2;
}
