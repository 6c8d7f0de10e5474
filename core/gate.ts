import { z } from 'zod';
import { Slug } from './rubric.ts';
import { Stat } from './stats/stat.ts';
import { Trial, TrialOutcome } from './trial.ts';

/** What a run of a suite comes to, as an exit code says it. */
export const GateDecision = z.enum(['pass', 'regression', 'inconclusive', 'violation']);
export type GateDecision = z.infer<typeof GateDecision>;

/** Exit codes of `suite run`: 0 pass, 1 regression, 2 usage, 3 inconclusive, 4 harm or hard violation. */
export const GATE_EXIT: Record<GateDecision, number> = {
  pass: 0,
  regression: 1,
  inconclusive: 3,
  violation: 4,
};

export const GateFinding = z.strictObject({
  rule: z.string(),
  decision: GateDecision,
  message: z.string(),
});
export type GateFinding = z.infer<typeof GateFinding>;

export const TaskSummary = z.strictObject({
  task: z.string(),
  tags: z.record(z.string(), z.string()),
  counts: z.record(TrialOutcome, z.number().int()),
  /** Trials with a yes or no: errored and ungraded ones are not among them. */
  n: z.number().int(),
  passed: z.number().int(),
});
export type TaskSummary = z.infer<typeof TaskSummary>;

/** The report of one suite run: the same object for the terminal, JSON, JUnit and pages. */
export const SuiteReport = z.strictObject({
  suite: Slug,
  version: z.number().int(),
  /** Hash over everything a score depends on. */
  suite_hash: z.string(),
  agent: z.string(),
  k: z.number().int(),
  trials: z.array(Trial),
  tasks: z.array(TaskSummary),
  outcomes: z.record(TrialOutcome, z.number().int()),
  pass_rate: Stat,
  pass_hat_k: z.array(z.strictObject({ k: z.number().int(), stat: Stat })),
  harms: z.number().int(),
  violations: z.number().int(),
  mean_steps: z.number().nullable(),
  mean_cost_usd: z.number().nullable(),
  judges: z.array(
    z.strictObject({
      judge: z.string(),
      calibration: z.enum(['valid', 'missing', 'refused']),
      faults: z.array(z.string()),
      simulated: z.boolean(),
    }),
  ),
  findings: z.array(GateFinding),
  decision: GateDecision,
  started: z.iso.datetime(),
  ms: z.number(),
});
export type SuiteReport = z.infer<typeof SuiteReport>;
