import { z } from 'zod';
import { Slug, VersionRef } from './rubric.ts';
import { Stat } from './stats/stat.ts';
import { Trial, TrialOutcome, ViolationRule } from './trial.ts';

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

/** A rate over tasks, every task counting once; `n` counts tasks, `trials` the trials with a yes or no. */
export const SuiteRate = Stat.extend({ nEff: z.number().nullable(), trials: z.number().int() });
export type SuiteRate = z.infer<typeof SuiteRate>;

/** May a judge speak in this suite, and why not. */
export const JudgeStanding = z.strictObject({
  judge: VersionRef,
  required: z.boolean(),
  calibration: z.enum(['valid', 'missing', 'refused']),
  faults: z.array(z.string()),
  simulated: z.boolean(),
  /** What its grades depend on; null where there is none. Part of the suite's hash. */
  judge_hash: z.string().nullable(),
  calibration_hash: z.string().nullable(),
});
export type JudgeStanding = z.infer<typeof JudgeStanding>;

/** The report of one suite run: the same object for the terminal, JSON, JUnit and pages. */
export const SuiteReport = z.strictObject({
  suite: Slug,
  version: z.number().int(),
  /** Hash over everything a score depends on. */
  suite_hash: z.string(),
  agent: z.string(),
  /** Trials a task. */
  k: z.number().int(),
  /** Decides the order of the trials. */
  seed: z.number().int(),
  /** Tasks of the suite that took no part, with why: not chosen, or sealed. */
  left_out: z.array(z.strictObject({ task: z.string(), why: z.string() })),
  trials: z.array(Trial),
  tasks: z.array(TaskSummary),
  outcomes: z.record(TrialOutcome, z.number().int()),
  pass_rate: SuiteRate,
  pass_hat_k: z.array(z.strictObject({ k: z.number().int(), stat: SuiteRate })),
  /** Harms in all trials, errored ones included. */
  harms: z.number().int(),
  /** Share of trials with a harm; with none, how large the share may still be. */
  harm_rate: Stat,
  /** Violations by rule. */
  violations: z.partialRecord(ViolationRule, z.number().int()),
  /** Means over the tasks' means; errored trials are not among them. Costs are the agent's own report. */
  mean_steps: Stat,
  mean_cost_usd: Stat,
  judges: z.array(JudgeStanding),
  findings: z.array(GateFinding),
  decision: GateDecision,
  started: z.iso.datetime(),
  ms: z.number(),
});
export type SuiteReport = z.infer<typeof SuiteReport>;
