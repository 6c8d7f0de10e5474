import type { Interval, Stat } from '../../core/stats/stat.ts';

/** `1 sample`, `1,240 samples`. */
export function counted(n: number, noun: string): string {
  return `${n.toLocaleString('en')} ${noun}${n === 1 ? '' : 's'}`;
}

/** A figure of -1..1 with two decimals and a true minus; an en dash where it does not exist. */
export function decimal(value: number | null): string {
  return value === null
    ? '–'
    : value
        .toFixed(2)
        .replace(/^-(?=.*[1-9])/, '−')
        .replace('-', '');
}

/** A share of 0..1 as a percentage. */
export function percent(value: number | null): string {
  return value === null ? '–' : `${(value * 100).toFixed(value > 0 && value < 0.1 ? 1 : 0)} %`;
}

/** `0.41 to 0.78`. */
export function range(ci: Interval | null, write: (value: number) => string = decimal): string {
  return ci === null ? 'no interval' : `${write(ci.low)} to ${write(ci.high)}`;
}

/** Why a figure is missing or forced, in words; null where it stands. */
export function reasonText({ reason, status }: Pick<Stat, 'reason' | 'status'>): string | null {
  if (status === 'ok') return null;
  return (reason === undefined ? status : REASONS[reason]) ?? reason ?? status;
}

const REASONS: Partial<Record<NonNullable<Stat['reason']>, string>> = {
  EMPTY: 'there is nothing to count',
  SINGLE_CATEGORY: 'only one level occurs',
  CONSTANT_RATER: 'one side always says the same',
  ZERO_VARIANCE: 'nothing varies',
  NO_PAIRABLE_UNITS: 'no sample has two answers',
  NO_POSITIVE_LABELS: 'no sample passes',
  NO_NEGATIVE_LABELS: 'no sample fails',
  TOO_FEW_CALIBRATION: 'too few samples',
  DEGENERATE_BOOTSTRAP: 'too few samples to resample',
};

/** Milliseconds as people say them: `32 ms`, `1.4 s`, `14 s`, `3 min`, `2.5 h`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 90) return `${Math.round(seconds)} s`;
  const minutes = seconds / 60;
  return minutes < 90 ? `${Math.round(minutes)} min` : `${(minutes / 60).toFixed(1)} h`;
}

/** US dollars, with as many digits as a small sum needs; null = not known. */
export function dollars(usd: number | null): string {
  if (usd === null) return 'unknown';
  if (usd === 0 || usd >= 1) return `$${usd.toFixed(2)}`;
  return `$${usd.toFixed(usd >= 0.01 ? 3 : 6).replace(/0{1,3}$/, '')}`;
}

/** An outcome or another name of ours in words: `provider_error` → `provider error`. */
export function words(name: string): string {
  return name.replaceAll('_', ' ');
}

/** The first digits of a hash: enough to tell two apart. */
export function shortHash(hash: string): string {
  return hash.replace('sha256:', '').slice(0, 12);
}

/** A moment in the reader's own zone. */
export function moment(iso: string): string {
  return new Date(iso).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}
