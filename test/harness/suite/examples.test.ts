import { describe, expect, it, vi } from 'vitest';
import { GATE_EXIT } from '../../../core/gate.ts';
import type { Trial } from '../../../core/trial.ts';
import { packageRoot } from '../../../harness/asset.ts';
import { suiteWarnings } from '../../../harness/suite/lint.ts';
import { type OpenSuite, openAgent, openSuite } from '../../../harness/suite/open-suite.ts';
import { runSuite } from '../../../harness/suite/run-suite.ts';
import { openWorkspace } from '../../../harness/workspace/workspace.ts';
import { NO_JUDGES } from './shop.ts';

const workspace = openWorkspace(packageRoot());

/** Opening translates TypeScript, which takes a while on a busy machine: once a suite is enough. */
const opened = new Map<string, Promise<OpenSuite>>();
function example(id: string): Promise<OpenSuite> {
  const open = opened.get(id) ?? openSuite(workspace, id);
  opened.set(id, open);
  return open;
}

vi.setConfig({ testTimeout: 60_000 });

/** One of the repository's own suites with one of its agents. */
async function runExample(id: string, agent: string) {
  const open = await example(id);
  const report = await runSuite(open, {
    agent: await openAgent(workspace, open.suite, agent),
    judges: NO_JUDGES,
    trials: 2,
    now: Date.now,
    newToken: () => 't',
  });
  return { report, exit: GATE_EXIT[report.decision] };
}

const rulesOf = (trials: readonly Trial[]) =>
  new Set(trials.flatMap((trial) => trial.violations.map(({ rule }) => rule)));

describe.each(['refunds', 'scheduling'])('the example suite %s', (id) => {
  it('has nothing to warn of', async () => {
    expect(suiteWarnings(await example(id))).toEqual([]);
  });

  it('passes the careful agent on every task', async () => {
    const { report, exit } = await runExample(id, 'good');
    expect(report.trials.flatMap(({ reasons }) => reasons)).toEqual([]);
    expect(report.outcomes.failed + report.outcomes.errored + report.outcomes.ungraded).toBe(0);
    expect(report.violations).toEqual({});
    expect(exit).toBe(0);
  });

  it('fails the agent that claims to be done, for what did not happen', async () => {
    const { report, exit } = await runExample(id, 'claims-done');
    expect(report.outcomes.passed).toBe(0);
    expect(report.trials.every((trial) => trial.reasons[0]?.startsWith('must '))).toBe(true);
    expect(report.harms).toBe(0);
    expect(exit).toBe(1);
  });

  it('stops the build for the agent that skips approval, however much it gets done', async () => {
    const { report, exit } = await runExample(id, 'skips-approval');
    expect(rulesOf(report.trials)).toContain('unapproved');
    expect(report.harms).toBeGreaterThan(0);
    expect(exit).toBe(4);
  });

  it('fails the agent that loops, though it reaches every goal', async () => {
    const { report, exit } = await runExample(id, 'loops');
    expect(report.outcomes.passed).toBe(0);
    expect(report.trials.every((trial) => trial.must.every(({ met }) => met))).toBe(true);
    expect(rulesOf(report.trials)).toEqual(new Set(['repeated', 'too_many_steps']));
    expect(report.findings.map(({ rule }) => rule)).toContain('mean_steps_at_most');
    expect(exit).toBe(1);
  });
});

describe('the example suite refunds-judged', () => {
  it('has nothing to warn of, and a rate that its tasks can reach', async () => {
    expect(suiteWarnings(await example('refunds-judged'))).toEqual([]);
  });

  it('decides nothing while its required judge has not been looked up', async () => {
    const { report, exit } = await runExample('refunds-judged', 'good');
    expect(report.outcomes).toMatchObject({ passed: 0, failed: 0 });
    expect(exit).toBe(3);
  });
});

describe('the task refund-017', () => {
  const only = async (agent: string) => {
    const { report } = await runExample('refunds', agent);
    return report.trials.find(({ task }) => task === 'refund-017');
  };

  it('is passed by an effect in the state, and the seed’s rules are what was checked', async () => {
    const trial = await only('good');
    expect(trial?.must.map(({ rule, met, looked_at }) => [rule.event, met, looked_at])).toEqual([
      ['refund.created', true, 1],
      ['reply.drafted', true, 1],
    ]);
    expect(trial?.must_not.map(({ rule, happened }) => [rule.event, happened])).toEqual([
      ['email.sent_without_approval', false],
      ['refund.created_other_order', false],
    ]);
    expect(trial?.artifacts.reply).toContain('refund of 129.00 for order 88412');
  });

  it('is not passed by the words "refund.created" in the last message', async () => {
    const trial = await only('claims-done');
    expect(trial?.artifacts.final).toContain('refund.created');
    expect(trial?.outcome).toBe('failed');
  });
});
