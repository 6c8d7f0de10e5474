import { z } from 'zod';

/** The kinds of question a criterion can ask. */
export const ScaleKind = z.enum(['binary', 'ordinal', 'nominal', 'pairwise']);
export type ScaleKind = z.infer<typeof ScaleKind>;

/** A level's value as it is stored and compared everywhere: text. Ordinal levels are integers written as text. */
export const LevelValue = z.string().min(1).max(200);
export type LevelValue = z.infer<typeof LevelValue>;

/** The levels of every pairwise criterion: the first output, the second, neither. */
export const PAIRWISE_LEVELS = ['a', 'b', 'tie'] as const;

/** One level of a scale and the anchor that says when it applies. */
export const Level = z.strictObject({
  value: z.union([z.string().min(1).max(200), z.number().int()]).transform(String),
  name: z.string().max(200).optional(),
  anchor: z.string().max(4000).optional(),
});
export type Level = z.infer<typeof Level>;

/** Which levels count as a pass where a yes or no is needed. */
export const PassRule = z.union([
  z.strictObject({ at_least: z.number().int() }),
  z.strictObject({ at_most: z.number().int() }),
  z.strictObject({ equals: z.union([z.string(), z.number().int()]).transform(String) }),
  z.strictObject({ in: z.array(z.union([z.string(), z.number().int()]).transform(String)).min(1) }),
]);
export type PassRule = z.infer<typeof PassRule>;

/** Does a level's value pass? Null where the criterion has no pass rule. */
export function passes(value: LevelValue, rule: PassRule | undefined): boolean | null {
  if (rule === undefined) return null;
  if ('at_least' in rule) return Number(value) >= rule.at_least;
  if ('at_most' in rule) return Number(value) <= rule.at_most;
  if ('equals' in rule) return value === rule.equals;
  return rule.in.includes(value);
}

/** Default agreement weights of a scale: quadratic where levels are ordered, none elsewhere (stats 1.2). */
export function defaultWeights(scale: ScaleKind): 'unweighted' | 'quadratic' {
  return scale === 'ordinal' ? 'quadratic' : 'unweighted';
}
