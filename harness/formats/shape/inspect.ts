import { z } from 'zod';
import { PromptText } from './text.ts';

/** Inspect's model_graded_qa and model_graded_fact, by their arguments; what only Python would tell is left out. */
export const InspectGrader = z.looseObject({
  template: PromptText.nullish(),
  instructions: PromptText.nullish(),
  grade_pattern: z.string().nullish(),
  include_history: z.unknown().optional(),
  partial_credit: z.boolean().optional(),
  model: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]).nullish(),
  model_role: z.string().nullish(),
});
export type InspectGrader = z.infer<typeof InspectGrader>;
