import { z } from 'zod';
import { ChoiceList, ChoiceScores, ChoiceText, PromptText } from './text.ts';

/** autoevals: a template file. */
export const AutoevalsTemplate = z.looseObject({
  name: z.string().min(1).optional(),
  prompt: PromptText,
  choice_scores: ChoiceScores,
  model: z.string().min(1).nullish(),
  use_cot: z.boolean().optional(),
  temperature: z.number().nullish(),
});

/** autoevals: the arguments of LLMClassifierFromTemplate. */
export const AutoevalsClassifier = z.looseObject({
  name: z.string().min(1).optional(),
  promptTemplate: PromptText,
  choiceScores: ChoiceScores,
  model: z.string().min(1).nullish(),
  useCoT: z.boolean().optional(),
  temperature: z.number().nullish(),
  maxTokens: z.number().nullish(),
  reasoningEffort: z.string().nullish(),
});

/** openai/evals: one model-graded spec. `from_n` and its kin take the choices from each sample. */
export const ModelGradedSpec = z
  .looseObject({
    prompt: PromptText,
    choice_strings: z.union([
      ChoiceList,
      z
        .string()
        .min(2)
        .max(20)
        .refine((text) => /^\S+$/.test(text) && !text.startsWith('from_'), 'expected the choices themselves'),
    ]),
    choice_scores: z.record(ChoiceText, z.number()).optional(),
    eval_type: z.string().optional(),
    input_outputs: z.record(z.string(), z.unknown()).optional(),
    args: z.record(z.string(), z.unknown()).optional(),
  })
  .refine(({ choice_strings: choices }) => new Set(choices).size === [...choices].length, {
    path: ['choice_strings'],
    message: 'each choice stands once',
  });
export type ModelGradedSpec = z.infer<typeof ModelGradedSpec>;
