import type { RunTally } from '../../harness/judge/run.ts';

/** How far a run is, in one line: calls, verdicts, rate, cost, time left. */
export function progressText(tally: RunTally): string {
  const unscored = Object.values(tally.unscored).reduce((sum, n) => sum + n, 0);
  const parts = [
    `${tally.done} of ${tally.total} calls`,
    `${tally.scored} scored`,
    `${unscored} unscored`,
    ...(tally.per_minute === null ? [] : [`${tally.per_minute.toFixed(0)} a minute`]),
    ...(tally.cost_usd > 0 ? [`$${tally.cost_usd.toFixed(4)}`] : []),
    ...(tally.unpriced > 0 ? [`${tally.unpriced} of unknown cost`] : []),
    ...(tally.per_minute === null
      ? []
      : [`${duration(((tally.total - tally.done) / tally.per_minute) * 60)} left`]),
  ];
  return parts.join(', ');
}

/** Seconds as people say them: 40 s, 12 min, 3.5 h. */
export function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
