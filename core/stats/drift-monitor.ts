import { betaCdf, betaQuantile, logGamma } from './distribution.ts';
import { finite, interval } from './estimate.ts';
import { requireCount, requireFraction, requireThat } from './input.ts';
import type { Interval } from './stat.ts';

export interface DriftReference {
  /** Agreements among the anchors at calibration: the monitor allows for their sampling error. */
  agreed: number;
  n: number;
}

export interface DriftOptions {
  /** The calibrated agreement rate, or the counts that it came from. */
  reference: number | DriftReference;
  /** A drop that is no concern. */
  tolerance?: number;
  /** Chance of a false alarm, ever. */
  alpha?: number;
}

export interface DriftState {
  n: number;
  agreed: number;
  /** The rate that agreement is tested against. */
  floor: number;
  /** Evidence that agreement fell below the floor, now and at most so far (natural logarithms; null at −∞). */
  logE: number | null;
  logEMax: number;
  /** Anytime-valid p against the floor: 1 / largest evidence. The alarm is p ≤ alpha, alpha / 2 with counts. */
  p: number;
  /** Outcomes seen when the alarm was raised; null while it was not. */
  alarmAt: number | null;
  /** Confidence sequence of the present rate: holds at all times at once. */
  ci: Interval | null;
}

/** Beta(½, ½) mixes the alternatives. */
const PRIOR = 0.5;

/**
 * Has a judge's agreement on anchors fallen below its calibrated rate? Look after every outcome, as long as you like:
 * the chance that it ever raises a false alarm is at most alpha (Ville's inequality). outcomes are 1 (agreed) or 0.
 * Evidence is the likelihood of rates below the floor, mixed by Beta(½, ½), over that at the floor: an e-process for every
 * rate at or above it. With counts as reference, half of alpha covers their Clopper-Pearson floor.
 * Assumes that given the past each anchor is drawn at random: anchors repeated in a fixed order are not new evidence.
 * Source: Ville 1939; Robbins 1970; Howard, Ramdas, McAuliffe & Sekhon 2021; Waudby-Smith & Ramdas 2024.
 */
export function driftMonitor(outcomes: readonly number[], options: DriftOptions): DriftState {
  const { reference, tolerance = 0, alpha = 0.05 } = options;
  requireFraction(alpha, 'alpha');
  requireThat(tolerance >= 0 && tolerance < 1, 'tolerance must lie in [0, 1)');
  requireThat(
    outcomes.every((outcome) => outcome === 0 || outcome === 1),
    'outcomes must be 0 or 1',
  );
  const counted = typeof reference === 'object';
  const spent = counted ? alpha / 2 : alpha;
  const floor = (counted ? countedFloor(reference, spent) : checkedRate(reference)) - tolerance;
  const threshold = -Math.log(spent);
  let agreed = 0;
  let alarmAt: number | null = null;
  let logE: number | null = 0;
  let logEMax = 0;
  outcomes.forEach((outcome, index) => {
    agreed += outcome;
    logE = logEvidence(agreed, index + 1 - agreed, floor);
    logEMax = Math.max(logEMax, logE ?? 0);
    if (alarmAt === null && logEMax >= threshold) alarmAt = index + 1;
  });
  const n = outcomes.length;
  const p = Math.exp(-logEMax);
  return { n, agreed, floor, logE, logEMax, p, alarmAt, ci: confidenceSequence(agreed, n, 1 - alpha) };
}

/**
 * Confidence sequence of a rate after `agreed` of n: all rates that the mixture of Beta(½, ½) does not refute at 1 − level.
 * Holds at every n at once, where Wilson's holds at one n fixed before. Null without outcomes.
 */
export function confidenceSequence(agreed: number, n: number, level = 0.95): Interval | null {
  requireCount(agreed, 'agreed');
  requireCount(n, 'n');
  requireThat(agreed <= n, 'agreed must not exceed n');
  requireFraction(level, 'level');
  if (n === 0) return null;
  const failed = n - agreed;
  const limit = -Math.log(1 - level);
  const mixture = logBeta(agreed + PRIOR, failed + PRIOR) - logBeta(PRIOR, PRIOR);
  const refuted = (rate: number) => mixture - logLikelihood(agreed, failed, rate) >= limit;
  const centre = agreed / n;
  const low = agreed === 0 ? 0 : edge(refuted, 0, centre);
  const high = failed === 0 ? 1 : edge(refuted, 1, centre);
  return interval(low, high, level, 'confidence sequence, beta mixture');
}

/** ln of ∫_{q<floor} L(q) dBeta(q) / (Beta mass below floor · L(floor)); null where it is 0. */
function logEvidence(agreed: number, failed: number, floor: number): number | null {
  if (floor <= 0) return null;
  return finite(logMixture(agreed, failed, floor) - logLikelihood(agreed, failed, floor));
}

function logMixture(agreed: number, failed: number, floor: number): number {
  const [a, b] = [agreed + PRIOR, failed + PRIOR];
  const mass = Math.log(betaCdf(floor, a, b)) - Math.log(betaCdf(floor, PRIOR, PRIOR));
  return mass + logBeta(a, b) - logBeta(PRIOR, PRIOR);
}

function logLikelihood(agreed: number, failed: number, rate: number): number {
  const hits = agreed === 0 ? 0 : agreed * Math.log(rate);
  return hits + (failed === 0 ? 0 : failed * Math.log1p(-rate));
}

function logBeta(a: number, b: number): number {
  return logGamma(a) + logGamma(b) - logGamma(a + b);
}

/** Where refutation ends between `outer` (refuted or the end of the scale) and `inner` (not refuted). */
function edge(refuted: (rate: number) => boolean, outer: number, inner: number): number {
  let [out, kept] = [outer, inner];
  for (let step = 0; step < 60; step++) {
    const middle = (out + kept) / 2;
    if (refuted(middle)) out = middle;
    else kept = middle;
  }
  return out;
}

function countedFloor({ agreed, n }: DriftReference, alpha: number): number {
  requireCount(agreed, 'agreed');
  requireCount(n, 'n', 1);
  requireThat(agreed <= n, 'agreed must not exceed n');
  return agreed === 0 ? 0 : betaQuantile(alpha, agreed, n - agreed + 1);
}

function checkedRate(rate: number): number {
  requireFraction(rate, 'reference');
  return rate;
}
