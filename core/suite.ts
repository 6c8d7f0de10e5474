import { z } from 'zod';
import { Slug } from './rubric.ts';
import { JudgeUse } from './task.ts';

/** What a trial may use up before it is stopped. */
export const Limits = z.strictObject({
  steps: z.number().int().positive().max(10_000).default(50),
  seconds: z.number().positive().default(120),
  cost_usd: z.number().positive().optional(),
});
export type Limits = z.infer<typeof Limits>;

/** How long a grant lasts: it covers one call, made within this many tool calls. */
export const ApprovalTerms = z.strictObject({ expires_after_steps: z.number().int().positive().default(10) });
export type ApprovalTerms = z.infer<typeof ApprovalTerms>;

/** When a suite's run fails a build. Rates are gated on interval bounds, never on the estimate alone. */
export const GateRules = z.strictObject({
  max_errored: z.number().min(0).max(1).default(0.02),
  /** A harm or a hard violation ends the run with exit code 4. */
  harm: z.enum(['fail', 'warn']).default('fail'),
  /** Any other violation is a regression. */
  violation: z.enum(['fail', 'warn']).default('fail'),
  /** The lower end of the pass rate's interval must reach this. */
  pass_rate_low_at_least: z.number().min(0).max(1).optional(),
  /** The upper end of the mean's interval must not exceed these. */
  mean_steps_at_most: z.number().positive().optional(),
  mean_cost_usd_at_most: z.number().positive().optional(),
});
export type GateRules = z.infer<typeof GateRules>;

/** `suites/<id>/suite.yaml`. */
export const Suite = z.strictObject({
  suite: Slug,
  version: z.number().int().positive(),
  title: z.string().max(300).default(''),
  /** Module path from the suite's folder; its default export is the agent. */
  agent: z.strictObject({ run: z.string().min(1), protocol: z.literal('module').default('module') }),
  /** Other agents that `--agent NAME` picks. */
  agents: z.record(Slug, z.string().min(1)).default({}),
  trials: z.number().int().min(1).max(1000).default(5),
  tools: z.string().min(1),
  high_risk: z.array(z.string()).default([]),
  approval: ApprovalTerms.default(ApprovalTerms.parse({})),
  limits: Limits.default(Limits.parse({})),
  strata: z.array(z.string()).default([]),
  judges: z.array(JudgeUse).default([]),
  gate: GateRules.default(GateRules.parse({})),
});
export type Suite = z.infer<typeof Suite>;
