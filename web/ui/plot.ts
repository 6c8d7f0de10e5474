import type { Interval } from '../../core/stats/stat.ts';

/** A figure with its interval, as one line of a plot. */
export interface PlotRow {
  name: string;
  value: number | null;
  ci: Interval | null;
  n: number;
  /** Each kind has a shape and a colour of its own. */
  kind: 'judge' | 'human' | 'other';
}

/** A value that all lines are held against. */
export interface PlotLine {
  name: string;
  at: number;
  kind: 'human' | 'threshold';
}

export interface Domain {
  low: number;
  high: number;
  ticks: number[];
}

const STEP = 0.2;

/** The stretch of an axis of agreement: 0 to 1, and below 0 as far as something stands there. */
export function domainOf(rows: readonly PlotRow[], lines: readonly PlotLine[]): Domain {
  const values = [
    ...rows.flatMap(({ value, ci }) => [value ?? 0, ci?.low ?? 0]),
    ...lines.map((line) => line.at),
  ];
  const steps = Math.floor(Math.min(0, ...values) / STEP + 1e-9);
  const ticks = Array.from(
    { length: 1 / STEP - steps + 1 },
    (_, index) => Math.round((steps + index) * STEP * 10) / 10,
  );
  return { low: ticks[0] ?? 0, high: 1, ticks };
}

/** Where a value stands on an axis, percent of its length. */
export function placeOn({ low, high }: Domain, value: number): number {
  return (100 * (Math.min(high, Math.max(low, value)) - low)) / (high - low);
}
