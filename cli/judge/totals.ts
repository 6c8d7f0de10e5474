import type { RunReport } from '../../core/run.ts';

/** A run's whole report, lines for a terminal. */
export function totals({ calls, verdicts, attempts, usage, cost, unknown }: RunReport): string {
  const again = attempts.resent > 0 ? `, ${attempts.resent} of them sent again after an answer was lost` : '';
  const bounded = cost.in_doubt - cost.unpriced;
  const doubt = [
    ...(bounded > 0
      ? [`${bounded} attempts have no known cost, at most $${cost.in_doubt_usd.toFixed(4)} more`]
      : []),
    ...(cost.unpriced > 0 ? [`${cost.unpriced} attempts have no known price and are not in it`] : []),
  ];
  return [
    `  ${calls.answered} of ${calls.planned} calls answered${calls.reused > 0 ? `, ${calls.reused} of them by other runs` : ''}`,
    `  ${outcomes(verdicts)}`,
    ...(Object.keys(verdicts.criteria).length > 1
      ? Object.entries(verdicts.criteria).map(([criterion, own]) => `    ${criterion}: ${outcomes(own)}`)
      : []),
    `  ${attempts.sent} attempts sent${again}${attempts.lost > 0 ? `, ${attempts.lost} never heard of` : ''}`,
    `  ${usage.input} input tokens (${usage.cache_read} from the provider's cache), ${usage.output} output (${usage.reasoning} of them thinking)`,
    `  ${[`$${cost.usd.toFixed(4)}`, ...doubt].join('; ')}`,
    ...unknownLines(unknown),
    '',
  ].join('\n');
}

const SHOWN = 10;

function unknownLines(unknown: RunReport['unknown']): string[] {
  if (unknown.length === 0) return [];
  const shown = unknown.slice(0, SHOWN).map(({ sample, criteria, order, sent_at }) => {
    return `    ${sample}, ${criteria.join(' and ')}${order === null ? '' : ` (${order})`}, sent ${sent_at}`;
  });
  const more = unknown.length > SHOWN ? [`    and ${unknown.length - SHOWN} more: --json lists them`] : [];
  return [
    `  ${unknown.length} unknown: sent and never heard of, perhaps paid; run with --on-unknown resend to send them again`,
    ...shown,
    ...more,
  ];
}

function outcomes({ scored, unscored }: Pick<RunReport['verdicts'], 'scored' | 'unscored'>): string {
  const reasons = Object.entries(unscored).map(([reason, n]) => `${n} ${reason}`);
  const missing = Object.values(unscored).reduce((sum, n) => sum + n, 0);
  return `${scored} scored, ${missing} unscored${reasons.length > 0 ? ` (${reasons.join(', ')})` : ''}`;
}
