import type { RandomStream } from './random.ts';

/** Below this mean, values are walked from 0; above, rejection costs the same however many trials there are. */
const SMALL_MEAN = 10;

/** A chance made ready for many draws; turned round where it is above one half. */
export interface Chance {
  p: number;
  odds: number;
  logOdds: number;
  logMiss: number;
  turned: boolean;
}

/** Makes a chance in [0, 1] ready for drawBinomial. */
export function chanceOf(chance: number): Chance {
  const turned = chance > 0.5;
  const p = turned ? 1 - chance : chance;
  const odds = p / (1 - p);
  return { p, odds, logOdds: Math.log(odds), logMiss: Math.log1p(-p), turned };
}

/**
 * Draws a binomial count of n trials, n a whole number. Exact: inversion by walking up from 0 while the mean is below 10,
 * one number of the stream each; above that transformed rejection, mostly one number and on average 1.5 whatever n is.
 * Source: Hörmann 1993 (algorithm BTRD).
 */
export function drawBinomial(random: RandomStream, n: number, chance: Chance): number {
  const { p, turned } = chance;
  if (n === 0 || p === 0) return turned ? n : 0;
  const drawn = n * p < SMALL_MEAN ? walked(random, n, chance) : rejected(random, n, chance);
  return turned ? n - drawn : drawn;
}

function walked(random: RandomStream, n: number, { odds, logMiss }: Chance): number {
  let left = random.uniform();
  let chance = Math.exp(n * logMiss);
  let count = 0;
  while (left > chance && count < n) {
    left -= chance;
    chance *= (odds * (n - count)) / (count + 1);
    count++;
  }
  return count;
}

function rejected(random: RandomStream, n: number, { p, odds, logOdds }: Chance): number {
  const variance = n * p * (1 - p);
  const spread = Math.sqrt(variance);
  const b = 1.15 + 2.53 * spread;
  const a = -0.0873 + 0.0248 * b + 0.01 * p;
  const centre = n * p + 0.5;
  const sure = 0.92 - 4.2 / b;
  for (;;) {
    let v = random.uniform();
    if (v <= 0.86 * sure) {
      const inner = v / sure - 0.43;
      return Math.floor(((2 * a) / (0.5 - Math.abs(inner)) + b) * inner + centre);
    }
    let u: number;
    if (v >= sure) u = random.uniform() - 0.5;
    else {
      const outer = v / sure - 0.93;
      u = (outer < 0 ? -0.5 : 0.5) - outer;
      v = random.uniform() * sure;
    }
    const edge = 0.5 - Math.abs(u);
    const count = Math.floor(((2 * a) / edge + b) * u + centre);
    if (count < 0 || count > n) continue;
    const mode = Math.floor((n + 1) * p);
    const height = (v * (2.83 + 5.1 / b) * spread) / (a / (edge * edge) + b);
    const away = Math.abs(count - mode);
    if (away <= NEAR) {
      if (height <= ratioToMode(count, mode, n, odds)) return count;
      continue;
    }
    // Squeeze: the log of the ratio lies within `slack` of a parabola, which settles nearly all.
    const slack = (away / variance) * (((away / 3 + 0.625) * away + 1 / 6) / variance + 0.5);
    const parabola = (-away * away) / (2 * variance);
    const logHeight = Math.log(height);
    if (logHeight < parabola - slack) return count;
    if (logHeight > parabola + slack) continue;
    const ways = logFactorial(mode) + logFactorial(n - mode) - logFactorial(count) - logFactorial(n - count);
    if (logHeight <= (count - mode) * logOdds + ways) return count;
  }
}

/** Up to this distance from the mode the ratio of chances is multiplied out. */
const NEAR = 15;

/** The chance of `count` over that of `mode`; one division, as NEAR factors of at most 2⁵³ can't overflow. */
function ratioToMode(count: number, mode: number, n: number, odds: number): number {
  let above = 1;
  let below = 1;
  for (let k = mode; k < count; k++) {
    above *= odds * (n - k);
    below *= k + 1;
  }
  for (let k = count; k < mode; k++) {
    above *= k + 1;
    below *= odds * (n - k);
  }
  return above / below;
}

/** ln k!, looked up below TABLED, else by Stirling's series, which is exact to rounding there. */
function logFactorial(k: number): number {
  if (k < TABLED) return table[k] ?? Number.NaN;
  const inverse = 1 / k;
  const series = inverse * (1 / 12 - (inverse * inverse) / 360);
  return (k + 0.5) * Math.log(k) - k + HALF_LOG_TWO_PI + series;
}

const HALF_LOG_TWO_PI = Math.log(2 * Math.PI) / 2;
const TABLED = 16384;
const table = factorialTable();

function factorialTable(): Float64Array {
  const made = new Float64Array(TABLED);
  for (let k = 2; k < TABLED; k++) made[k] = (made[k - 1] ?? 0) + Math.log(k);
  return made;
}
