import { z } from 'zod';
import { JudgeParams, ProviderName } from './judge.ts';

/** A regular expression that the names of some models match. */
const Pattern = z
  .string()
  .max(200)
  .refine((text) => isPattern(text), 'a regular expression');

function isPattern(text: string): boolean {
  try {
    return new RegExp(text).test('') || true;
  } catch {
    return false;
  }
}

const Models = z.strictObject({ providers: z.array(ProviderName).min(1), pattern: Pattern });

const Effort = JudgeParams.shape.reasoning_effort.unwrap().unwrap();

/** What some models take; what a row does not say, they take. */
export const ModelRow = Models.extend({
  temperature: z.boolean().default(true),
  seed: z.boolean().default(true),
  structured: z.boolean().default(true),
  tool: z.boolean().default(true),
  efforts: z.array(Effort).default([...Effort.options]),
  /** Fewest tokens that the provider's cache takes where it has to be asked; absent = it is not asked. */
  cache_from: z.number().int().positive().optional(),
});
export type ModelRow = z.infer<typeof ModelRow>;

/** The first row that names a provider's model. */
export function findRow<Row extends z.infer<typeof Models>>(
  rows: readonly Row[],
  provider: ProviderName,
  model: string,
): Row | null {
  return rows.find((row) => row.providers.includes(provider) && new RegExp(row.pattern).test(model)) ?? null;
}
