import { normalMultiplier } from './distribution.ts';
import { estimate, interval } from './estimate.ts';
import { requireCount, requireFraction, requireReal, requireSameLength, requireThat } from './input.ts';
import { mean, variance } from './moments.ts';
import { type Stat, undefinedStat } from './stat.ts';
import { at } from './table.ts';

export interface PostStratified extends Stat {
  /** For a claim about exactly these N items: with the finite-population correction. `se` is without. */
  seFpc: number | null;
}

/**
 * Population mean from a sample stratified by `stratum`: Σ (N_h/N) ȳ_h, with N_h items of stratum h in all, listed in an
 * order in which neighbours are alike. A stratum with one label is pooled with its neighbour; one without any label:
 * insufficient, TOO_FEW_CALIBRATION. Source: Cochran 1977, ch. 5.
 */
export function postStratified(
  y: readonly number[],
  stratum: readonly string[],
  sizes: ReadonlyMap<string, number>,
  level = 0.95,
): PostStratified {
  requireSameLength(y, stratum);
  requireReal(y, 'y');
  requireFraction(level, 'level');
  for (const size of sizes.values()) requireCount(size, 'a stratum size');
  requireThat(
    stratum.every((name) => sizes.has(name)),
    'every stratum needs its size',
  );
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  const strata = [...sizes].flatMap(([name, size]) =>
    size === 0 ? [] : [{ size, values: y.filter((_, item) => stratum[item] === name) }],
  );
  requireThat(
    strata.every(({ size, values }) => values.length <= size),
    'a stratum has more labels than items',
  );
  if (y.length === 0 || total === 0) return { ...undefinedStat('EMPTY'), seFpc: null };
  if (strata.some(({ values }) => values.length === 0)) {
    const parts = {
      value: null,
      n: y.length,
      status: 'insufficient',
      reason: 'TOO_FEW_CALIBRATION',
    } as const;
    return { ...estimate(parts), seFpc: null };
  }
  const pooled = poolSingles(strata);
  const value = pooled.reduce((sum, { size, values }) => sum + (size / total) * mean(values), 0);
  const error = (correction: (n: number, size: number) => number) =>
    Math.sqrt(
      pooled.reduce((sum, { size, values }) => {
        const spread = variance(values) / values.length;
        return sum + (size / total) ** 2 * spread * correction(values.length, size);
      }, 0),
    );
  const se = error(() => 1);
  const margin = normalMultiplier(level) * se;
  const ci = interval(value - margin, value + margin, level, 'stratified');
  const notes = pooled.length < strata.length ? ['strata with one label are pooled with a neighbour'] : [];
  const seFpc = error((n, size) => 1 - n / size);
  return { ...estimate({ value, se, ci, n: y.length, notes }), seFpc: Number.isFinite(seFpc) ? seFpc : null };
}

interface Stratum {
  size: number;
  values: number[];
}

/** Joins a stratum with one label to the next, the last to the one before. */
function poolSingles(strata: readonly Stratum[]): Stratum[] {
  const pooled = strata.map(({ size, values }) => ({ size, values: [...values] }));
  for (let h = 0; pooled.length > 1 && h < pooled.length; ) {
    const single = pooled[h];
    const neighbour = pooled[h + 1] ?? pooled[h - 1];
    if (single === undefined || neighbour === undefined || single.values.length > 1) {
      h++;
      continue;
    }
    neighbour.size += single.size;
    neighbour.values.push(at(single.values, 0));
    pooled.splice(h, 1);
    h = Math.max(0, h - 1);
  }
  return pooled;
}
