import { normalQuantile } from './distribution.ts';
import { requireCount, requireFraction, requireReal, requireThat } from './input.ts';
import { variance } from './moments.ts';

/** Noise of a comparison of two versions on the same tasks. */
export interface ComparisonNoise {
  /** Variance between tasks of the true difference. */
  omega2: number;
  /** Variance of one trial within a task, and trials a task, of each version. */
  sigmaA2: number;
  kA: number;
  sigmaB2: number;
  kB: number;
}

export interface PowerOptions {
  alpha?: number;
  power?: number;
  /** 1 for a gate, 2 for a question in both directions. */
  sided?: 1 | 2;
}

/** A sample size before and after rounding up. */
export interface SampleSize {
  nRaw: number;
  n: number;
}

/**
 * Tasks needed to see a true difference `delta`: (z_α + z_power)² (ω² + σ²_A/K_A + σ²_B/K_B) / δ².
 * Source: Miller 2024 (arXiv 2411.00640).
 */
export function tasksForDelta(
  noise: ComparisonNoise & { delta: number },
  options: PowerOptions = {},
): SampleSize {
  requireThat(noise.delta !== 0, 'delta must not be 0');
  requireReal([noise.delta], 'delta');
  return roundedUp((multiplier(options) ** 2 * differenceVariance(noise)) / noise.delta ** 2);
}

/** The smallest true difference that `tasks` tasks show with the asked power; every gate prints it. */
export function minimumDetectableEffect(
  noise: ComparisonNoise & { tasks: number },
  options: PowerOptions = {},
): number {
  requireCount(noise.tasks, 'tasks', 1);
  return multiplier(options) * Math.sqrt(differenceVariance(noise) / noise.tasks);
}

/**
 * Items needed by McNemar's test for a true difference `delta` when a share `discordant` of items differs.
 * Source: Connor 1987. INVALID_INPUT where |delta| exceeds the discordant share.
 */
export function pairsForMcNemar(
  { discordant, delta }: { discordant: number; delta: number },
  options: PowerOptions = {},
): SampleSize {
  requireFraction(discordant, 'discordant');
  requireThat(
    delta !== 0 && Math.abs(delta) <= discordant,
    'delta must lie within the discordant share and not be 0',
  );
  const { zAlpha, zPower } = quantiles(options);
  const root = zAlpha * Math.sqrt(discordant) + zPower * Math.sqrt(discordant - delta * delta);
  return roundedUp(root ** 2 / delta ** 2);
}

/** Between-task variance of the difference, from two runs: max(0, var(d) − σ²_A/K_A − σ²_B/K_B); null below two tasks. */
export function differenceBetweenTasks(
  d: readonly number[],
  { sigmaA2, kA, sigmaB2, kB }: Omit<ComparisonNoise, 'omega2'>,
): number | null {
  requireReal([...d, sigmaA2, sigmaB2], 'd and variances');
  for (const k of [kA, kB]) requireCount(k, 'trials', 1);
  return d.length < 2 ? null : Math.max(0, variance(d) - sigmaA2 / kA - sigmaB2 / kB);
}

/** z_α + z_power. */
export function multiplier(options: PowerOptions): number {
  const { zAlpha, zPower } = quantiles(options);
  return zAlpha + zPower;
}

/** Rounds up, forgiving 1e-9 of rounding error; INVALID_INPUT beyond all counting. */
export function roundedUp(nRaw: number): SampleSize {
  requireThat(nRaw >= 0 && nRaw < 1e15, `no number of items is enough: ${nRaw}`);
  return { nRaw, n: Math.ceil(nRaw - 1e-9) };
}

/** Upper quantiles of α (halved where two-sided) and of the power. */
export function quantiles({ alpha = 0.05, power = 0.8, sided = 2 }: PowerOptions): {
  zAlpha: number;
  zPower: number;
} {
  requireFraction(alpha, 'alpha');
  requireFraction(power, 'power');
  return { zAlpha: -normalQuantile(alpha / sided), zPower: normalQuantile(power) };
}

function differenceVariance({ omega2, sigmaA2, kA, sigmaB2, kB }: ComparisonNoise): number {
  requireReal([omega2, sigmaA2, sigmaB2], 'variances');
  requireThat(Math.min(omega2, sigmaA2, sigmaB2) >= 0, 'variances must not be negative');
  for (const k of [kA, kB]) requireCount(k, 'trials', 1);
  return omega2 + sigmaA2 / kA + sigmaB2 / kB;
}
