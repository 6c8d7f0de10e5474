import { z } from 'zod';
import { PromptText } from './text.ts';

/** One band of GEval's scores, 0 to 10. */
const GEvalBand = z.looseObject({
  scoreRange: z
    .tuple([z.number().int().min(0).max(10), z.number().int().min(0).max(10)])
    .refine(([low, high]) => low <= high, 'expected [lowest, highest]'),
  expectedOutcome: z.string().trim().min(1).max(4000),
});

/** GEval as DeepEval uploads it. */
export const GEval = z
  .looseObject({
    name: z.string().min(1),
    evaluationParams: z.array(z.string()).optional(),
    multiTurn: z.boolean().optional(),
    criteria: PromptText.nullish(),
    evaluationSteps: z.array(z.string().trim().min(1).max(350)).max(50).nullish(),
    rubric: z.array(GEvalBand).min(2).max(11).nullish(),
    threshold: z.number().min(0).max(1).optional(),
    strictMode: z.boolean().optional(),
    model: z.string().min(1).nullish(),
  })
  .superRefine(({ criteria, evaluationSteps, rubric }, ctx) => {
    if (!criteria && (evaluationSteps ?? []).length === 0)
      ctx.addIssue({ code: 'custom', path: ['criteria'], message: 'expected criteria or evaluationSteps' });
    const bands = [...(rubric ?? [])].sort((one, other) => one.scoreRange[0] - other.scoreRange[0]);
    bands.forEach(({ scoreRange: [low] }, index) => {
      const before = bands[index - 1];
      if (before !== undefined && low <= before.scoreRange[1])
        ctx.addIssue({ code: 'custom', path: ['rubric'], message: `two bands hold the score ${low}` });
    });
  });
export type GEval = z.infer<typeof GEval>;
