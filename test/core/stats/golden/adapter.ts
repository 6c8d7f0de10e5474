import { z } from 'zod';
import type { Interval, Stat } from '../../../../core/stats/stat.ts';

/** What a golden case's function gives: one entry for each key that the case expects. */
export type Outcome = Record<string, unknown>;
export type Adapter = (input: unknown, options: unknown) => Outcome;

/** Reads a case's input and options strictly, so that a case with anything unforeseen fails. */
export function adapter<I, O>(
  input: z.ZodType<I>,
  options: z.ZodType<O>,
  run: (input: I, options: O) => Outcome,
): Adapter {
  return (rawInput, rawOptions) => run(input.parse(rawInput), options.parse(rawOptions));
}

export const none = z.strictObject({});
export const num = z.number();
export const nums = z.array(z.number());
export const table = z.array(z.array(z.number()));
export const label = z.union([z.string(), z.number(), z.null()]);
export const category = z.union([z.string(), z.number()]);
export const ratings = z.array(z.array(label));
export const weights = z.union([z.enum(['unweighted', 'linear', 'quadratic']), table]);
export const bit = z.union([z.literal(0), z.literal(1)]);

/** Low and high end of an interval, null where there is none. */
export function ends(ci: Interval | null): { low: number | null; high: number | null } {
  return { low: ci?.low ?? null, high: ci?.high ?? null };
}

/** Status, reason and counts of a Stat, for the cases that fix behaviour at the edges. */
export function standing(stat: Stat): Outcome {
  return { status: stat.status, reason: stat.reason, n: stat.n, nMissing: stat.nMissing };
}
