import { z } from 'zod';
import { ChoiceText, PromptText } from './text.ts';

const Described = z.looseObject({ description: z.string().optional() });
const Category = z.union([ChoiceText, z.looseObject({ label: ChoiceText, value: z.unknown().optional() })]);

/** A Langfuse evaluator of type llm_as_judge. */
export const LangfuseEvaluator = z
  .looseObject({
    name: z.string().min(1),
    type: z.literal('llm_as_judge').optional(),
    prompt: PromptText,
    outputDefinition: z.looseObject({
      dataType: z.enum(['NUMERIC', 'CATEGORICAL', 'BOOLEAN']),
      reasoning: Described.optional(),
      score: Described.extend({ categories: z.array(Category).min(2).max(20).optional() }).optional(),
    }),
    modelConfig: z.looseObject({ provider: z.string().min(1), model: z.string().min(1) }).nullish(),
    mapping: z
      .array(
        z.looseObject({
          variable: z.string(),
          source: z.string().nullish(),
          jsonPath: z.string().nullish(),
        }),
      )
      .optional(),
  })
  .superRefine(({ outputDefinition: { dataType, score } }, ctx) => {
    const path = ['outputDefinition', 'score', 'categories'];
    const labels = (score?.categories ?? []).map(categoryLabel);
    if (dataType === 'CATEGORICAL' && labels.length === 0)
      ctx.addIssue({ code: 'custom', path, message: 'expected the categories of a CATEGORICAL score' });
    if (new Set(labels).size !== labels.length)
      ctx.addIssue({ code: 'custom', path, message: 'each category stands once' });
  });

export type LangfuseEvaluator = z.infer<typeof LangfuseEvaluator>;

export function categoryLabel(category: z.infer<typeof Category>): string {
  return typeof category === 'string' ? category : category.label;
}
