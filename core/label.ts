import { z } from 'zod';
import { Span } from './evidence.ts';
import { Slug, VersionRef } from './rubric.ts';
import { SampleId } from './sample.ts';
import { LevelValue } from './scale.ts';

export const Annotator = z.string().trim().min(1).max(80);
export type Annotator = z.infer<typeof Annotator>;

/** What a person did with one criterion of one sample. */
export const LabelAct = z.discriminatedUnion('act', [
  /** A judgement, perhaps an unsure one. */
  z.strictObject({ act: z.literal('label'), value: LevelValue, unsure: z.boolean().default(false) }),
  /** The criterion does not apply. */
  z.strictObject({ act: z.literal('not_applicable') }),
  /** Not now: comes again later. */
  z.strictObject({ act: z.literal('skip') }),
  /** The sample is broken. */
  z.strictObject({ act: z.literal('flag') }),
  /** Takes the criterion's answer back. */
  z.strictObject({ act: z.literal('clear') }),
]);
export type LabelAct = z.infer<typeof LabelAct>;

/** What the person had seen when they decided. */
export const Saw = z.enum(['blind', 'verdicts', 'imported']);
export type Saw = z.infer<typeof Saw>;

/** One act of labelling as the browser sends it; the id makes resending harmless. */
export const LabelEvent = z.strictObject({
  /** Made by the browser; the same id stores once. */
  id: z.uuid(),
  sample: SampleId,
  criterion: Slug,
  what: LabelAct,
  evidence: z.array(Span).max(50).default([]),
  note: z.string().max(8000).default(''),
  /** Active time spent, milliseconds. */
  ms: z.number().int().nonnegative().max(86_400_000),
  /** Number of this annotator's earlier events on this criterion that the act builds on; null = whatever stands. */
  base: z.number().int().nonnegative().nullable(),
  at: z.iso.datetime(),
  /** Which side stood left, for pairs. */
  order: z.enum(['ab', 'ba']).nullable().default(null),
});
export type LabelEvent = z.infer<typeof LabelEvent>;

/** A label event as it is stored. */
export const StoredLabel = LabelEvent.extend({
  id: z.string(),
  rubric: VersionRef,
  rubric_hash: z.string(),
  annotator: Annotator,
  saw: Saw,
  /** 1 for this annotator's first event on this criterion of this sample. */
  revision: z.number().int().positive(),
}).omit({ base: true });
export type StoredLabel = z.infer<typeof StoredLabel>;

/** The server's word that an event is safe. */
export const LabelAck = z.strictObject({
  id: z.string(),
  revision: z.number().int().positive(),
  status: z.enum(['stored', 'replayed', 'conflict']),
  /** On a conflict, what stands on the server. */
  stands: LabelAct.optional(),
});
export type LabelAck = z.infer<typeof LabelAck>;
