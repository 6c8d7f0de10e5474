import { type AlphaLevel, alphaOf, alphaUnits, krippendorffAlpha } from './alpha.ts';
import { type BootstrapOptions, type BootstrapResult, bootstrap } from './bootstrap.ts';
import type { Ratings } from './rating-counts.ts';

/**
 * Krippendorff's α with a percentile bootstrap interval over units: the missing pattern of a unit stays with it and
 * category totals are recounted in every replicate. Replicates with one value are dropped. n counts units with a pair.
 * Krippendorff's own bootstrap draws pairs as if they were independent and is not used.
 */
export function alphaInterval(
  ratings: Ratings,
  level: AlphaLevel,
  options: Omit<BootstrapOptions, 'method'> & { categories?: readonly (string | number)[] },
): BootstrapResult {
  const { units, places, nMissing } = alphaUnits(ratings, level, options.categories);
  const result = bootstrap(
    units.length,
    (drawn) =>
      alphaOf(
        drawn.flatMap((unit) => units[unit] ?? []),
        places,
        level,
      ),
    { ...options, method: 'percentile' },
  );
  const { n, reason } = krippendorffAlpha(ratings, level, options.categories);
  const notes = n < units.length ? [`${units.length - n} units have fewer than two ratings`] : [];
  return {
    ...result,
    n,
    nMissing,
    ...(reason !== undefined && { reason }),
    notes: [...result.notes, ...notes],
  };
}
