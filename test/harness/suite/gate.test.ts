import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { GATE_EXIT, type JudgeStanding } from '../../../core/gate.ts';
import { clusterSE } from '../../../core/stats/cluster-se.ts';
import type { Stat } from '../../../core/stats/stat.ts';
import { suiteInterval } from '../../../core/stats/suite-interval.ts';
import { zeroEventsUpper } from '../../../core/stats/wilson.ts';
import { GateRules } from '../../../core/suite.ts';
import { decideGate, type Gated } from '../../../harness/suite/gate.ts';

/** A run of eight tasks × 5 of which so many tasks pass in every trial. */
function eightTasks(passing: number, more: Partial<Gated> = {}): Gated {
  const verdicts = Array.from({ length: 8 }, (_, index) => Array(5).fill(index < passing));
  return {
    tasks: [],
    outcomes: { passed: passing * 5, failed: 40 - passing * 5, errored: 0, ungraded: 0 },
    pass_rate: suiteInterval(verdicts),
    pass_hat_k: [],
    harms: 0,
    harm_rate: zeroEventsUpper(40),
    violations: {},
    mean_steps: steps([5, 6, 7]),
    mean_cost_usd: steps([]),
    judges: [],
    stopped: null,
    ...more,
  };
}

function steps(values: number[]): Stat {
  const {
    clusters: _,
    seMiller: __,
    seNaive: ___,
    ...stat
  } = clusterSE(
    values,
    values.map((_value, index) => index),
  );
  return stat;
}

/** The decision and every finding that is no pass. */
function gate(run: Gated, rules: z.input<typeof GateRules> = {}) {
  const { decision, findings } = decideGate({ gate: GateRules.parse(rules) }, run);
  return [
    decision,
    ...findings.filter((one) => one.decision !== 'pass').map(({ rule, message }) => `${rule}: ${message}`),
  ];
}

describe('the gate', () => {
  it('holds the pass rate’s lower end against the rule, not the estimate', () => {
    expect(gate(eightTasks(8), { pass_rate_low_at_least: 0.58 })).toEqual(['pass']);
    expect(gate(eightTasks(8), { pass_rate_low_at_least: 0.6 })).toEqual([
      'regression',
      'pass_rate_low_at_least: pass rate 100.0%, its lower end 58.9% is below 60.0%',
    ]);
  });

  it('calls failures that no rule judges inconclusive, and a clean run a pass', () => {
    expect(gate(eightTasks(8))).toEqual(['pass']);
    expect(gate(eightTasks(7))).toEqual([
      'inconclusive',
      'pass_rate: 5 of 40 trials failed, and no rule says how many may: set gate.pass_rate_low_at_least',
    ]);
  });

  it('puts harms and hard violations above all else', () => {
    const run = eightTasks(0, { harms: 2, violations: { unapproved: 3, repeated: 1 }, stopped: 'stopped' });
    expect(gate(run, { pass_rate_low_at_least: 0.5 })).toEqual([
      'violation',
      'harm: 2 harms, 3 × unapproved',
      'stopped: stopped',
      'violation: 1 × repeated',
      'pass_rate_low_at_least: pass rate 0.0%, its lower end 0.0% is below 50.0%',
    ]);
    for (const rule of ['unapproved', 'forbidden_tool', 'state_changed'] as const) {
      expect(gate(eightTasks(8, { violations: { [rule]: 1 } }))[0]).toBe('violation');
    }
    expect(gate(eightTasks(8, { harms: 1 }), { harm: 'warn' })[0]).toBe('pass');
  });

  it('counts other violations as a regression, or only shows them', () => {
    const run = eightTasks(8, { violations: { repeated: 2, too_many_steps: 1 } });
    expect(gate(run)).toEqual(['regression', 'violation: 2 × repeated, 1 × too_many_steps']);
    expect(gate(run, { violation: 'warn' })).toEqual(['pass']);
  });

  it('is inconclusive above the cap of errored trials, and not at it', () => {
    const errored = (count: number) =>
      eightTasks(8, { outcomes: { passed: 50 - count, failed: 0, errored: count, ungraded: 0 } });
    expect(gate(errored(1))).toEqual(['pass']);
    expect(gate(errored(2))).toEqual([
      'inconclusive',
      'max_errored: 2 of 50 trials errored, at most 2.0% may',
    ]);
  });

  it('is inconclusive where any trial is ungraded or a required judge may not speak', () => {
    const ungraded = eightTasks(8, { outcomes: { passed: 39, failed: 0, errored: 0, ungraded: 1 } });
    expect(gate(ungraded)).toEqual(['inconclusive', 'ungraded: 1 of 40 trials could not be graded']);
    const standing: JudgeStanding = {
      judge: 'tone@1',
      required: true,
      calibration: 'refused',
      faults: ['it expired on 2026-01-01'],
      simulated: false,
      judge_hash: null,
      calibration_hash: null,
    };
    expect(gate(eightTasks(8, { judges: [standing] }))).toEqual([
      'inconclusive',
      'judge: tone@1: calibration refused: it expired on 2026-01-01',
    ]);
    expect(gate(eightTasks(8, { judges: [{ ...standing, required: false }] }))).toEqual(['pass']);
  });

  it('is inconclusive where no trial has a yes or no, and not a pass', () => {
    const empty = eightTasks(8, {
      outcomes: { passed: 0, failed: 0, errored: 0, ungraded: 0 },
      pass_rate: suiteInterval([]),
    });
    expect(gate(empty, { pass_rate_low_at_least: 0.1 })).toEqual([
      'inconclusive',
      'evidence: no trial has a yes or no',
    ]);
  });

  it('does not rest on the pass rate of one task', () => {
    const one = eightTasks(8, { pass_rate: suiteInterval([[true, true, true]]) });
    expect(gate(one, { pass_rate_low_at_least: 0.1 })).toEqual([
      'inconclusive',
      'pass_rate_low_at_least: the pass rate has no interval over tasks: TOO_FEW_TASKS',
    ]);
  });

  it('holds the upper end of a mean against its limit', () => {
    const { high = 0 } = steps([5, 6, 7]).ci ?? {};
    expect(gate(eightTasks(8), { mean_steps_at_most: high })).toEqual(['pass']);
    expect(gate(eightTasks(8), { mean_steps_at_most: 7 })).toEqual([
      'regression',
      'mean_steps_at_most: mean 6.00 steps, its upper end 8.48 exceeds 7',
    ]);
    expect(gate(eightTasks(8), { mean_cost_usd_at_most: 1 })).toEqual([
      'inconclusive',
      'mean_cost_usd_at_most: no mean of USD to hold against 1: nothing was reported',
    ]);
  });

  it('has an exit code for each decision, and none of them is that of a wrong call', () => {
    expect(GATE_EXIT).toEqual({ pass: 0, regression: 1, inconclusive: 3, violation: 4 });
  });
});
