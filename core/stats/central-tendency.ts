import { sampleCorrelation } from 'simple-statistics';
import { type BootstrapOptions, type BootstrapResult, bootstrap } from './bootstrap.ts';
import { correlationP } from './correlation.ts';
import { finite } from './estimate.ts';
import { requireReal, requireSameLength } from './input.ts';
import { constant, deviation, variance } from './moments.ts';
import type { Reason, Stat } from './stat.ts';
import { at } from './table.ts';
import { wilson } from './wilson.ts';

export interface PitmanMorgan {
  /** sd(judge) / sd(human): below 1 the judge crowds the middle. */
  sdRatio: number | null;
  r: number | null;
  t: number | null;
  p: number | null;
  reason?: Reason;
}

/**
 * Are two raters' scores of the same items equally spread? Correlation of sums and differences, t with n − 2 degrees of
 * freedom. Assumes normal scores. ZERO_VARIANCE where the human's scores do not vary. Source: Pitman 1939; Morgan 1939.
 */
export function pitmanMorgan(judge: readonly number[], human: readonly number[]): PitmanMorgan {
  requireSameLength(judge, human);
  requireReal([...judge, ...human], 'scores');
  const none = { sdRatio: null, r: null, t: null, p: null };
  if (judge.length < 2) return { ...none, reason: 'EMPTY' };
  if (constant(human)) return { ...none, reason: 'ZERO_VARIANCE' };
  const sums = judge.map((score, item) => score + at(human, item));
  const differences = judge.map((score, item) => score - at(human, item));
  const sdRatio = finite(deviation(judge) / deviation(human));
  if (constant(sums) || constant(differences)) return { ...none, sdRatio, reason: 'ZERO_VARIANCE' };
  const r = Math.max(-1, Math.min(1, sampleCorrelation(sums, differences)));
  if (Number.isNaN(r)) return { ...none, sdRatio, reason: 'ZERO_VARIANCE' };
  const df = judge.length - 2;
  const t = Math.abs(r) < 1 && df > 0 ? (r * Math.sqrt(df)) / Math.sqrt(1 - r * r) : null;
  return { sdRatio, r, t, p: correlationP(r, df) };
}

export interface CentralTendency {
  /** ln of the ratio of standard deviations, bootstrapped over items: the effect. */
  logRatio: BootstrapResult;
  test: PitmanMorgan;
  /** Share of scores at either end of the scale. */
  extremesJudge: Stat;
  extremesHuman: Stat;
  /** Least-squares slope of judge on human; 1 for a judge that neither shrinks nor stretches. */
  slope: number | null;
}

/** Does a judge avoid the ends of the scale? `ends` are the scale's lowest and highest level. */
export function centralTendency(
  judge: readonly number[],
  human: readonly number[],
  ends: readonly [number, number],
  options: BootstrapOptions,
): CentralTendency {
  const test = pitmanMorgan(judge, human);
  const n = judge.length;
  const logRatio = bootstrap(
    n,
    (items) => {
      const spread = (scores: readonly number[]) => variance(items.map((item) => at(scores, item)));
      return finite(Math.log(spread(judge) / spread(human)) / 2);
    },
    options,
  );
  const extremes = (scores: readonly number[]) =>
    wilson(scores.filter((score) => ends.includes(score)).length, n, options.level);
  const slope =
    constant(judge) || constant(human) ? null : finite(sampleCorrelation(judge, human) * (test.sdRatio ?? 0));
  return {
    logRatio:
      test.reason === undefined || logRatio.value !== null ? logRatio : { ...logRatio, reason: test.reason },
    test,
    extremesJudge: extremes(judge),
    extremesHuman: extremes(human),
    slope,
  };
}
