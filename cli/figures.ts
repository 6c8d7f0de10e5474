import type { Stat } from '../core/stats/stat.ts';

/** A figure as text: value, interval and n, or why it does not exist. Rates as percent, coefficients with two decimals. */
export function figure(stat: Stat, as: 'rate' | 'coefficient'): string {
  if (stat.value === null)
    return `undefined (${(stat.reason ?? 'no data').toLowerCase().replaceAll('_', ' ')}), n=${stat.n}`;
  const text = (value: number) => (as === 'rate' ? `${(100 * value).toFixed(1)} %` : value.toFixed(2));
  const interval = stat.ci === null ? 'no interval' : `[${text(stat.ci.low)}, ${text(stat.ci.high)}]`;
  return `${text(stat.value)} ${interval} n=${stat.n}${stat.status === 'degenerate' ? ' (forced by the data)' : ''}`;
}
