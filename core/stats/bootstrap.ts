import { type BcaResult, bcaInterval, type Jackknife, tied } from './bca.ts';
import { estimate } from './estimate.ts';
import { requireCount } from './input.ts';
import { deviation } from './moments.ts';
import { type RandomStream, randomStream } from './random.ts';
import { type Stat, undefinedStat } from './stat.ts';

export interface BootstrapOptions {
  /** Replicates: 2000 while someone waits, 10000 in a report. */
  B?: number;
  seed: number;
  level?: number;
  method?: 'percentile' | 'bca';
}

export interface BootstrapResult extends Stat {
  B: number;
  seed: number;
  /** Replicates in which the statistic did not exist. */
  dropped: number;
  /** What was drawn: independent units one by one, or the counts of a table's cells. */
  resampled: 'units' | 'cells';
  /** Both intervals; `ci` is the one asked for. */
  percentile: BcaResult['percentile'];
  bca: BcaResult['bca'];
  z0: number | null;
  a: number | null;
}

/** A statistic of resampled unit numbers; null where it does not exist. Units may repeat. */
export type Statistic = (units: readonly number[]) => number | null;

/**
 * Bootstrap of a statistic of n independent units (items; tasks of a suite; units of α). Replicate b takes draws
 * b·n to b·n + n − 1 of the seed's stream, stratum by stratum where `strata` lists the unit numbers of each.
 * Replicates without the statistic are dropped: above 1 % noted, above 20 % no interval (DEGENERATE_BOOTSTRAP); nor
 * when all replicates are equal: use the measure's analytic interval. Cost O(B · statistic); BCa adds n statistics.
 * Not the default interval of anything that has a good closed form. Source: Efron 1979, 1987.
 */
export function bootstrap(
  n: number,
  statistic: Statistic,
  options: BootstrapOptions & { strata?: readonly (readonly number[])[] },
): BootstrapResult {
  requireCount(n, 'n');
  const strata = options.strata ?? [Array.from({ length: n }, (_, unit) => unit)];
  const all = strata.flat();
  return resample(n, statistic(all), options, 'units', {
    replicate: (random) =>
      statistic(strata.flatMap((units) => units.map(() => units[random.index(units.length)] ?? 0))),
    jackknife: () =>
      all.map((left) => ({ value: statistic(all.filter((unit) => unit !== left)) ?? Number.NaN, count: 1 })),
  });
}

/** How one way of resampling draws a replicate and leaves one unit out. */
export interface Resampling {
  replicate: (random: RandomStream) => number | null;
  jackknife: () => Jackknife;
}

/** Runs B replicates and makes the result: what every kind of resampling shares. */
export function resample(
  n: number,
  theta: number | null,
  options: BootstrapOptions,
  resampled: BootstrapResult['resampled'],
  { replicate, jackknife }: Resampling,
): BootstrapResult {
  const { B = 2000, seed, level = 0.95, method = 'bca' } = options;
  requireCount(B, 'B', 1);
  const record = { B, seed, resampled };
  const none = { percentile: null, bca: null, z0: null, a: null };
  if (n === 0 || theta === null) {
    const stat = undefinedStat(n === 0 ? 'EMPTY' : 'DEGENERATE_BOOTSTRAP', n);
    return { ...stat, ...record, dropped: 0, ...none };
  }
  const random = randomStream(seed);
  const replicates = new Array<number>(B).fill(0);
  let valued = 0;
  for (let b = 0; b < B; b++) {
    const value = replicate(random);
    if (value !== null && Number.isFinite(value)) replicates[valued++] = value;
  }
  replicates.length = valued;
  const dropped = B - replicates.length;
  const se = replicates.length > 1 ? deviation(replicates) : null;
  if (dropped > 0.2 * B || replicates.every((value) => tied(value, replicates[0] ?? 0))) {
    const note =
      dropped > 0.2 * B ? `${dropped} of ${B} replicates have no value` : 'all replicates are equal';
    const stat = estimate({
      value: theta,
      n,
      status: 'degenerate',
      reason: 'DEGENERATE_BOOTSTRAP',
      notes: [note],
    });
    return { ...stat, ...record, dropped, ...none };
  }
  const ends = bcaInterval(theta, replicates, method === 'bca' ? jackknife() : [], level);
  const notes = dropped > 0.01 * B ? [`${dropped} of ${B} replicates have no value`] : [];
  if (method === 'bca' && ends.bca === null) notes.push('BCa does not exist here: percentile interval');
  const ci = method === 'bca' ? (ends.bca ?? ends.percentile) : ends.percentile;
  return { ...estimate({ value: theta, se, ci, n, notes }), ...record, dropped, ...ends };
}
