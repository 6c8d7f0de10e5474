import { z } from 'zod';
import { Json } from '../../../core/json.ts';
import { ChoiceList, ChoiceText } from './text.ts';

const Part = z.union([
  z.string(),
  z.looseObject({ type: z.string().optional(), text: z.string().optional() }),
]);

const GraderMessage = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant']),
  type: z.literal('message').optional(),
  content: z.union([z.array(Part), Part]),
});
export type GraderMessage = z.infer<typeof GraderMessage>;

const SamplingParams = z.record(z.string(), Json).nullish();

export const ScoreModelGrader = z.looseObject({
  type: z.literal('score_model'),
  name: z.string().min(1),
  model: z.string().min(1),
  input: z.array(GraderMessage).min(1),
  range: z
    .tuple([z.number(), z.number()])
    .refine(([low, high]) => low < high, 'expected [lowest, highest]')
    .optional(),
  sampling_params: SamplingParams,
  pass_threshold: z.number().nullish(),
});
export type ScoreModelGrader = z.infer<typeof ScoreModelGrader>;

export const LabelModelGrader = z
  .looseObject({
    type: z.literal('label_model'),
    name: z.string().min(1),
    model: z.string().min(1),
    input: z.array(GraderMessage).min(1),
    labels: ChoiceList,
    passing_labels: z.array(ChoiceText),
    sampling_params: SamplingParams,
  })
  .superRefine(({ labels, passing_labels }, ctx) => {
    passing_labels.forEach((label, index) => {
      if (!labels.includes(label))
        ctx.addIssue({
          code: 'custom',
          path: ['passing_labels', index],
          message: `"${label}" is none of the labels ${labels.join(', ')}`,
        });
    });
  });
export type LabelModelGrader = z.infer<typeof LabelModelGrader>;

/** Graders that are code. */
const CodeGrader = z.looseObject({
  type: z.enum(['string_check', 'text_similarity', 'python']),
  name: z.string().optional(),
});

const SingleGrader = z.discriminatedUnion('type', [ScoreModelGrader, LabelModelGrader, CodeGrader]);

const MultiGrader = z.looseObject({
  type: z.literal('multi'),
  name: z.string().optional(),
  graders: z.record(z.string(), SingleGrader),
  calculate_output: z.string().optional(),
});

export const Grader = z.discriminatedUnion('type', [
  ScoreModelGrader,
  LabelModelGrader,
  CodeGrader,
  MultiGrader,
]);
export type Grader = z.infer<typeof Grader>;

/** An eval as the API gives it. */
export const OpenAiEval = z.looseObject({ testing_criteria: z.array(Grader).min(1) });
