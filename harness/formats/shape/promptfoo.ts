import { z } from 'zod';
import { Json } from '../../../core/json.ts';

/** A provider: `openai:gpt-4.1-2025-04-14`, or an object with its settings. Strangers' payload: loose. */
const PromptfooProvider = z.union([
  z.string().min(1),
  z.looseObject({ id: z.string().min(1), config: z.record(z.string(), Json).optional() }),
]);
export type PromptfooProvider = z.infer<typeof PromptfooProvider>;

/** The assertions that ask a model and that we read. */
export const GRADED = ['llm-rubric', 'model-graded-closedqa', 'select-best'];

const PromptfooAssertion = z
  .looseObject({
    type: z.string().min(1),
    value: Json.optional(),
    threshold: z.number().optional(),
    weight: z.number().optional(),
    metric: z.string().min(1).optional(),
    provider: PromptfooProvider.optional(),
    rubricPrompt: Json.optional(),
    get assert() {
      return z.array(PromptfooAssertion).optional();
    },
  })
  .superRefine(({ type, value }, ctx) => {
    if (!GRADED.includes(type.replace(/^not-/, ''))) return;
    if (typeof value === 'string' && value.trim() !== '' && value.length <= 1800) return;
    ctx.addIssue({
      code: 'custom',
      path: ['value'],
      message: `expected what ${type} shall look for, a text of up to 1800 characters`,
    });
  });
export type PromptfooAssertion = z.infer<typeof PromptfooAssertion>;

const Options = z.looseObject({ provider: PromptfooProvider.optional(), rubricPrompt: Json.optional() });

const PromptfooTest = z.looseObject({
  description: z.string().optional(),
  vars: z.unknown().optional(),
  options: Options.optional(),
  assert: z.array(PromptfooAssertion).optional(),
});
export type PromptfooTest = z.infer<typeof PromptfooTest>;

/** A tests file: a list of test cases. */
export const PromptfooTests = z.array(z.union([z.string(), PromptfooTest]));

/** promptfooconfig.yaml, as far as it tells how answers are judged. */
export const PromptfooConfig = z.looseObject({
  defaultTest: z.union([z.string(), PromptfooTest]).optional(),
  tests: z.union([z.string(), PromptfooTests]).optional(),
});
export type PromptfooConfig = z.infer<typeof PromptfooConfig>;
