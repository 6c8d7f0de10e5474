import { betaQuantile } from '../../core/stats/distribution.ts';
import type { RandomStream } from '../../core/stats/random.ts';
import { randomStream } from '../../core/stats/random.ts';
import type { Interval } from '../../core/stats/stat.ts';

/** Counts samples whose interval holds the truth; a sample without an interval does not count. */
export function coverage(
  seed: number,
  replicates: number,
  truth: number,
  sample: (random: RandomStream) => Interval | null,
): { held: number; of: number } {
  const random = randomStream(seed);
  const found = { held: 0, of: 0 };
  for (let replicate = 0; replicate < replicates; replicate++) {
    const ci = sample(random);
    if (ci === null) continue;
    found.of++;
    if (ci.low <= truth && truth <= ci.high) found.held++;
  }
  return found;
}

/** Counts samples in which something happened. */
export function share(
  seed: number,
  replicates: number,
  sample: (random: RandomStream) => boolean,
): { held: number; of: number } {
  const random = randomStream(seed);
  let held = 0;
  for (let replicate = 0; replicate < replicates; replicate++) if (sample(random)) held++;
  return { held, of: replicates };
}

/** Draws n items over cells of these shares. */
export function draw(shares: readonly number[], n: number, random: RandomStream): number[] {
  const counts = shares.map(() => 0);
  for (let item = 0; item < n; item++) {
    let left = random.uniform();
    let cell = 0;
    while (cell < shares.length - 1 && left >= (shares[cell] ?? 0)) left -= shares[cell++] ?? 0;
    counts[cell] = (counts[cell] ?? 0) + 1;
  }
  return counts;
}

/** How many of n happen at a chance. */
export function count(chance: number, n: number, random: RandomStream): number {
  return draw([chance, 1 - chance], n, random)[0] ?? 0;
}

/** Cells in reading order as a square table. */
export function square(cells: readonly number[]): number[][] {
  const q = Math.round(Math.sqrt(cells.length));
  return Array.from({ length: q }, (_, row) => cells.slice(row * q, (row + 1) * q));
}

/** A table of two raters with these shares each and this kappa, whatever its weights. */
export function mixed(kappa: number, shares: readonly number[]): number[] {
  return shares.flatMap((row, i) =>
    shares.map((column, j) => (1 - kappa) * row * column + (i === j ? kappa * row : 0)),
  );
}

/** A standard normal deviate (Box and Muller). */
export function gaussian(random: RandomStream): number {
  return Math.sqrt(-2 * Math.log(random.uniform())) * Math.cos(2 * Math.PI * random.uniform());
}

/** True pass rates of tasks: Beta of this mean with correlation .5 between two trials of a task, as 400 quantiles. */
export function taskRates(rate: number): number[] {
  const raw = Array.from({ length: 400 }, (_, index) => betaQuantile((index + 0.5) / 400, rate, 1 - rate));
  const mean = raw.reduce((sum, value) => sum + value, 0) / raw.length;
  return raw.map((value) => Math.min(1, (value * rate) / mean));
}

/** Mean of what a function says of values. */
export function average(values: readonly number[], of: (value: number) => number): number {
  return values.reduce((sum, value) => sum + of(value), 0) / values.length;
}

/** Trials of tasks whose true rates are drawn from `rates`. */
export function suite(
  rates: readonly number[],
  { tasks, trials }: { tasks: number; trials: number },
  random: RandomStream,
): number[][] {
  return Array.from({ length: tasks }, () => {
    const chance = rates[random.index(rates.length)] ?? 0;
    return Array.from({ length: trials }, () => (random.uniform() < chance ? 1 : 0));
  });
}
