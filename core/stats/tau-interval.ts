import { type BootstrapOptions, type BootstrapResult, bootstrap } from './bootstrap.ts';
import { requireSameLength } from './input.ts';
import { kendallTau } from './kendall.ts';
import { at } from './table.ts';

/** Above this many items the jackknife of BCa would cost n² and the percentile interval is as good. */
const MANY_ITEMS = 2000;

/** Kendall's τ_b with a BCa bootstrap interval over items; percentile above 2000 items. */
export function tauInterval(
  x: readonly number[],
  y: readonly number[],
  options: Omit<BootstrapOptions, 'method'>,
): BootstrapResult {
  requireSameLength(x, y);
  const point = kendallTau(x, y);
  const result = bootstrap(
    x.length,
    (items) =>
      kendallTau(
        items.map((item) => at(x, item)),
        items.map((item) => at(y, item)),
      ).value,
    { ...options, method: x.length > MANY_ITEMS ? 'percentile' : 'bca' },
  );
  return point.value === null && point.reason !== undefined ? { ...result, reason: point.reason } : result;
}
