import { z } from 'zod';
import { Span } from './evidence.ts';
import { contentHash } from './hash.ts';
import { Annotator, Saw } from './label.ts';
import { Slug, VersionRef } from './rubric.ts';
import { Sample } from './sample.ts';
import { LevelValue } from './scale.ts';

export const Split = z.enum(['dev', 'test']);
export type Split = z.infer<typeof Split>;

/** How the labelled samples were chosen: decides which correction of a pass rate is honest. */
export const Drawn = z.enum(['random', 'stratified', 'active', 'all', 'unknown']);
export type Drawn = z.infer<typeof Drawn>;

export const Gold = z.strictObject({
  value: LevelValue,
  from: z.enum(['unanimous', 'majority', 'median', 'single', 'adjudicated']),
  by: Annotator.optional(),
});
export type Gold = z.infer<typeof Gold>;

/** A label as a frozen set keeps it. `value` null = the person said that the criterion does not apply. */
export const SetLabel = z.strictObject({
  criterion: Slug,
  annotator: Annotator,
  value: LevelValue.nullable(),
  unsure: z.boolean(),
  evidence: z.array(Span).default([]),
  note: z.string().default(''),
  ms: z.number().int().nonnegative(),
  at: z.iso.datetime(),
  saw: Saw,
});
export type SetLabel = z.infer<typeof SetLabel>;

export const LabelSetItem = z.strictObject({
  sample: Sample,
  split: Split,
  /** Inclusion probability, where it is known. */
  p: z.number().gt(0).max(1).nullable(),
  labels: z.array(SetLabel),
  /** By criterion; a criterion on which people do not settle has none. */
  gold: z.record(Slug, Gold),
});
export type LabelSetItem = z.infer<typeof LabelSetItem>;

export const LabelSetHeader = z.strictObject({
  label_set: Slug,
  version: z.number().int().positive(),
  rubric: VersionRef,
  rubric_hash: z.string(),
  dataset: Slug,
  split: z.strictObject({ seed: z.number().int(), dev: z.number().int(), test: z.number().int() }),
  drawn: Drawn,
  annotators: z.number().int().nonnegative(),
  created: z.iso.datetime(),
  hash: z.string(),
});
export type LabelSetHeader = z.infer<typeof LabelSetHeader>;

/** A frozen label set: `labels/<set>/v<N>.jsonl`. */
export interface LabelSet {
  header: LabelSetHeader;
  items: LabelSetItem[];
}

/** Hash over everything but the hash itself and the time of writing. */
export function labelSetHash(
  header: Omit<LabelSetHeader, 'hash' | 'created'>,
  items: readonly LabelSetItem[],
): string {
  const { label_set, version, rubric, rubric_hash, dataset, split, drawn, annotators } = header;
  return contentHash({
    header: { label_set, version, rubric, rubric_hash, dataset, split, drawn, annotators },
    items: items.map((item) => contentHash(item)),
  });
}
