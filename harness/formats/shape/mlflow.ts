import { z } from 'zod';
import { Json } from '../../../core/json.ts';
import { PromptText } from './text.ts';

/** MLflow's make_judge, by its arguments. */
export const MlflowJudge = z.looseObject({
  name: z.string().min(1),
  instructions: PromptText,
  model: z.string().min(1).nullish(),
  description: z.string().nullish(),
  feedback_value_type: Json.optional(),
});
export type MlflowJudge = z.infer<typeof MlflowJudge>;

/** The same as MLflow stores a registered one. */
export const MlflowScorer = z.looseObject({
  name: z.string().min(1),
  description: z.string().nullish(),
  instructions_judge_pydantic_data: MlflowJudge.pick({
    instructions: true,
    model: true,
    feedback_value_type: true,
  }),
});
