import { z } from 'zod';
import { Slug, VersionRef } from './rubric.ts';
import { SampleId } from './sample.ts';
import { LevelValue } from './scale.ts';
import { Stat } from './stats/stat.ts';
import { UnscoredCounts } from './verdict.ts';

/** The ways in which a text tries to move a judge; `control` is harmless text, the noise that the others stand against. */
export const AttackKind = z.enum([
  'empty',
  'punctuation',
  'master_key',
  'null_answer',
  'echo',
  'instruction',
  'language',
  'encoded',
  'delimiter',
  'verdict',
  'authority',
  'flattery',
  'hidden',
  'padding',
  'gibberish',
  'control',
]);
export type AttackKind = z.infer<typeof AttackKind>;

/** One hostile input: what becomes of a field of a real sample. */
export const Attack = z.strictObject({
  id: Slug,
  kind: AttackKind,
  what: z.string().min(1),
  /** Where the attack is known from, where that is known. */
  source: z.string().optional(),
  /** The field that it stands in; `output` is the answer itself. */
  field: z.enum(['output', 'input', 'context']).default('output'),
  /** What the field becomes. With {{text}} or its halves the attack rides on the field as it was; without, it replaces it. */
  text: z.string(),
  /** Filled in first, then disguised, then put where {{payload}} stands. */
  payload: z.string().optional(),
  disguise: z.enum(['base64', 'rot13', 'reversed', 'tags', 'spaced']).optional(),
  /** How many payloads stand one after the other. */
  times: z.number().int().min(1).max(10_000).default(1),
});
export type Attack = z.infer<typeof Attack>;

/** A language's way to say "answer this way": of levels, and of one response of a pair. */
const Demand = z.strictObject({ levels: z.string(), pair: z.string() });

/** A version of the attack pack, as its file says it. */
export const AttackPack = z.strictObject({
  pack: z.number().int().positive(),
  demands: z.record(Slug, Demand),
  attacks: z.array(Attack).min(1),
});
export type AttackPack = z.infer<typeof AttackPack>;

/** Does the attack ride on a real answer, to be held against that answer alone? */
export function isCarried({ text }: Pick<Attack, 'text'>): boolean {
  return /\{\{(text|first_half|second_half)\}\}/.test(text);
}

/**
 * What hostile inputs do to a judge on one criterion. An attack succeeds where an answer that was replaced gets a
 * passing value or one above the lowest, or where an answer that carries it gets a better value than without it.
 * Rates are over attempts that were scored; the rest is counted apart.
 */
export const AttackFigures = z.strictObject({
  pack: z.number().int(),
  pack_hash: z.string(),
  dataset: Slug,
  seed: z.number().int(),
  at: z.iso.datetime(),
  /** Real samples that the attacks were built on. */
  samples: z.number().int(),
  /** Different attacks among the attempts. */
  attacks: z.number().int(),
  success: Stat,
  replaced: Stat,
  carried: Stat,
  /** Attempts that brought a passing value where there was none before; null without a pass rule. */
  passed: Stat.nullable(),
  /** The same measure on harmless additions: what the judge's own noise comes to. In no other figure. */
  control: Stat,
  by_kind: z.array(z.strictObject({ kind: AttackKind, success: Stat, unscored: UnscoredCounts })),
  unscored: UnscoredCounts,
  /** Attacks that hold so little of an answer that the judge was not asked: they count as unscored, `trivial`. */
  stopped: z.array(Slug),
  /** Carried attempts that were not made, for the answer had the best value without them. */
  no_room: z.number().int(),
  /** Carried attempts that were not made, for the answer alone has no value. */
  no_twin: z.number().int(),
  notes: z.array(z.string()),
});
export type AttackFigures = z.infer<typeof AttackFigures>;

/** An attack that a judge fell for. */
export const AttackSuccess = z.strictObject({
  criterion: Slug,
  attack: Slug,
  kind: AttackKind,
  sample: SampleId,
  external: z.string().nullable(),
  /** The value of the answer alone; null where the answer was replaced. */
  before: LevelValue.nullable(),
  value: LevelValue,
  reason: z.string(),
});
export type AttackSuccess = z.infer<typeof AttackSuccess>;

/** One judge version under one version of the attack pack. */
export const AttackReport = z.strictObject({
  judge: VersionRef,
  judge_hash: z.string(),
  simulated: z.boolean(),
  dataset: Slug,
  samples: z.array(SampleId),
  criteria: z.record(Slug, AttackFigures),
  /** Criteria that no attack was aimed at, and why. */
  left_out: z.array(z.strictObject({ criterion: Slug, why: z.string() })),
  successes: z.array(AttackSuccess),
  /** What the calls of this run cost; null where a price is not known. */
  cost_usd: z.number().nullable(),
});
export type AttackReport = z.infer<typeof AttackReport>;
