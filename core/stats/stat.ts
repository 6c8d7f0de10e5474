import { z } from 'zod';

/** Why a figure is null, forced, or not to be decided on. */
export const Reason = z.enum([
  'EMPTY',
  'SINGLE_CATEGORY',
  'CONSTANT_RATER',
  'ZERO_VARIANCE',
  'NO_PAIRABLE_UNITS',
  'K_EXCEEDS_TRIALS',
  'NO_POSITIVE_LABELS',
  'NO_NEGATIVE_LABELS',
  'JUDGE_NOT_BETTER_THAN_CHANCE',
  'SINGULAR_CONFUSION',
  'SEPARATION',
  'TOO_FEW_TASKS',
  'TOO_FEW_CALIBRATION',
  'NO_CHANGE_OBSERVED',
  'DEGENERATE_BOOTSTRAP',
  'NOT_CONVERGED',
]);
export type Reason = z.infer<typeof Reason>;

/** An interval at confidence `level` (0..1), with the method that made it. */
export const Interval = z.strictObject({
  low: z.number(),
  high: z.number(),
  level: z.number(),
  method: z.string(),
});
export type Interval = z.infer<typeof Interval>;

/**
 * One estimate and how far to trust it.
 * `ok`: decide on it; `degenerate`: a number that the data force; `undefined`: does not exist (value null);
 * `insufficient`: below a stated minimum, no decision may rest on it.
 */
export const Stat = z.strictObject({
  value: z.number().nullable(),
  se: z.number().nullable(),
  ci: Interval.nullable(),
  n: z.number(),
  nMissing: z.number(),
  status: z.enum(['ok', 'degenerate', 'undefined', 'insufficient']),
  reason: Reason.optional(),
  notes: z.array(z.string()),
});
export type Stat = z.infer<typeof Stat>;

/** A caller's mistake (lengths differ, unknown label, impossible counts): thrown, never returned. */
export class StatsInputError extends Error {
  readonly code: 'LENGTH_MISMATCH' | 'UNKNOWN_LABEL' | 'INVALID_INPUT';
  constructor(code: StatsInputError['code'], message: string) {
    super(message);
    this.name = 'StatsInputError';
    this.code = code;
  }
}

/** A figure that does not exist, with its reason. */
export function undefinedStat(reason: Reason, n = 0, nMissing = 0, notes: string[] = []): Stat {
  return { value: null, se: null, ci: null, n, nMissing, status: 'undefined', reason, notes };
}
