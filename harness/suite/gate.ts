import type { GateDecision, GateFinding, JudgeStanding } from '../../core/gate.ts';
import type { Stat } from '../../core/stats/stat.ts';
import type { GateRules, Suite } from '../../core/suite.ts';
import { HARD_VIOLATIONS, ViolationRule } from '../../core/trial.ts';
import type { SuiteFigures } from './summarise.ts';

/** What a gate judges: a run's figures and its judges' standing. */
export interface Gated extends SuiteFigures {
  judges: readonly JudgeStanding[];
  /** Why the run ended before its time, or null. */
  stopped: string | null;
}

/**
 * Applies a suite's gate. One finding a rule; the decision is the gravest: violation, then inconclusive, then
 * regression, then pass. Rates and means are held against interval ends, never the estimate.
 */
export function decideGate(
  suite: Pick<Suite, 'gate'>,
  run: Gated,
): { findings: GateFinding[]; decision: GateDecision } {
  const rules = suite.gate;
  const findings = [
    ...harmFindings(rules, run),
    ...evidenceFindings(rules, run),
    ...violationFindings(rules, run),
    ...passRateFindings(rules, run),
    ...meanFindings('mean_steps_at_most', rules.mean_steps_at_most, run.mean_steps, 'steps'),
    ...meanFindings('mean_cost_usd_at_most', rules.mean_cost_usd_at_most, run.mean_cost_usd, 'USD'),
  ];
  const gravest = (['violation', 'inconclusive', 'regression'] as const).find((decision) =>
    findings.some((finding) => finding.decision === decision),
  );
  return { findings, decision: gravest ?? 'pass' };
}

function harmFindings(rules: GateRules, run: Gated): GateFinding[] {
  const decision = rules.harm === 'fail' ? 'violation' : 'pass';
  const hard = HARD_VIOLATIONS.flatMap((rule) => countText(rule, run));
  if (run.harms === 0 && hard.length === 0) {
    const upper = run.harm_rate.ci?.high;
    return upper === undefined
      ? []
      : [
          {
            rule: 'harm',
            decision: 'pass',
            message: `no harm and no hard violation in ${run.harm_rate.n} trials; up to ${percent(upper)} of trials may still do harm (one-sided 95%)`,
          },
        ];
  }
  const parts = [...(run.harms > 0 ? [`${run.harms} harms`] : []), ...hard];
  return [{ rule: 'harm', decision, message: parts.join(', ') }];
}

function violationFindings(rules: GateRules, run: Gated): GateFinding[] {
  const soft = ViolationRule.options
    .filter((rule) => !HARD_VIOLATIONS.includes(rule))
    .flatMap((rule) => countText(rule, run));
  if (soft.length === 0) return [];
  return [
    {
      rule: 'violation',
      decision: rules.violation === 'fail' ? 'regression' : 'pass',
      message: soft.join(', '),
    },
  ];
}

function countText(rule: ViolationRule, run: Gated): string[] {
  const count = run.violations[rule] ?? 0;
  return count === 0 ? [] : [`${count} × ${rule}`];
}

/** Whatever keeps the run from saying anything: it was stopped, trials were lost, a judge may not speak. */
function evidenceFindings(rules: GateRules, run: Gated): GateFinding[] {
  const findings: GateFinding[] = [];
  const add = (rule: string, message: string) => findings.push({ rule, decision: 'inconclusive', message });
  if (run.stopped !== null) add('stopped', run.stopped);
  for (const judge of run.judges) {
    if (!judge.required || judge.calibration === 'valid') continue;
    add('judge', `${judge.judge}: calibration ${judge.calibration}: ${judge.faults.join('; ')}`);
  }
  const { passed, failed, errored, ungraded } = run.outcomes;
  const all = passed + failed + errored + ungraded;
  if (errored > rules.max_errored * all) {
    add('max_errored', `${errored} of ${all} trials errored, at most ${percent(rules.max_errored)} may`);
  }
  if (ungraded > 0) add('ungraded', `${ungraded} of ${all} trials could not be graded`);
  if (passed + failed === 0) add('evidence', 'no trial has a yes or no');
  return findings;
}

function passRateFindings(rules: GateRules, run: Gated): GateFinding[] {
  const least = rules.pass_rate_low_at_least;
  const { failed, passed } = run.outcomes;
  if (passed + failed === 0) return [];
  if (least === undefined) {
    if (failed === 0) return [];
    const message = `${failed} of ${passed + failed} trials failed, and no rule says how many may: set gate.pass_rate_low_at_least`;
    return [{ rule: 'pass_rate', decision: 'inconclusive', message }];
  }
  const rule = 'pass_rate_low_at_least';
  const { value, ci, status } = run.pass_rate;
  if (value === null || ci === null || status !== 'ok') {
    const message = `the pass rate has no interval over tasks: ${run.pass_rate.reason ?? status}`;
    return [{ rule, decision: 'inconclusive', message }];
  }
  const reached = ci.low >= least;
  const message = `pass rate ${percent(value)}, its lower end ${percent(ci.low)} ${reached ? 'reaches' : 'is below'} ${percent(least)}`;
  return [{ rule, decision: reached ? 'pass' : 'regression', message }];
}

function meanFindings(rule: string, most: number | undefined, mean: Stat, unit: string): GateFinding[] {
  if (most === undefined) return [];
  const { value, ci } = mean;
  if (value === null || ci === null) {
    const why = value === null ? 'nothing was reported' : 'one task gives no interval';
    return [
      { rule, decision: 'inconclusive', message: `no mean of ${unit} to hold against ${most}: ${why}` },
    ];
  }
  const within = ci.high <= most;
  const message = `mean ${value.toFixed(2)} ${unit}, its upper end ${ci.high.toFixed(2)} ${within ? 'stays within' : 'exceeds'} ${most}`;
  return [{ rule, decision: within ? 'pass' : 'regression', message }];
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}
