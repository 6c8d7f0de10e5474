import { describe, expect, it } from 'vitest';
import { type Calibration, calibrationHash } from '../../../core/calibration.ts';
import { GATE_EXIT } from '../../../core/gate.ts';
import type { BaselineFit } from '../../../core/judge.ts';
import type { Agent } from '../../../harness/suite/agent.ts';
import { createSuiteJudges } from '../../../harness/suite/judge-trial.ts';
import { saveCalibration } from '../../../harness/workspace/calibrations.ts';
import { loadJudge } from '../../../harness/workspace/judges.ts';
import { createSimulator } from '../../simulator/simulator.ts';
import { exampleWorkspace, type TemporaryWorkspace } from '../../support/workspace.ts';
import { openShop, runShop } from './shop.ts';

const NOW = Date.parse('2026-06-01T12:00:00Z');

/** A fit that passes whatever shares most of its words with the record. */
const FIT: BaselineFit = {
  label_set: 'refund-replies@1',
  label_set_hash: 'sha256:0',
  n: 40,
  criteria: { accuracy: { rule: 'cuts', levels: ['1', '3'], cuts: [0.1] } },
};

/** A sealed calibration of one of the example's judges. */
function calibrate(
  workspace: TemporaryWorkspace,
  ref: string,
  changes: Partial<Calibration> = {},
): Calibration {
  const { judge, rubric, promptText, hash } = loadJudge(workspace, ref);
  const unsealed = {
    calibration: ref,
    judge_hash: hash,
    judge,
    rubric,
    prompt_text: promptText,
    baseline_fit: judge.provider === 'baseline' ? FIT : null,
    served_model: { id: judge.model, fingerprint: null },
    simulated: false,
    label_set: {
      id: 'refund-replies',
      version: 1,
      hash: 'sha256:0',
      annotators: 2,
      n_dev: 40,
      n_test: 40,
      drawn: 'random' as const,
    },
    looks_at_test: 1,
    measured: {},
    accepted: {
      by: 'test',
      at: '2026-05-01T00:00:00Z',
      rule: { kappa_low_at_least: null, unscored_at_most: 0.05, attack_high_at_most: null },
      note: '',
    },
    expires: '2026-12-31',
    ...changes,
  };
  return { ...unsealed, hash: calibrationHash(unsealed) };
}

/** Writes a letter that says what the task asks for: the artifact that judges read. */
const writer: Agent = async ({ instruction }, { tools }) => {
  const letter = { to: 'ann@example.com', text: `Dear Ann, you asked: ${instruction}` };
  await tools.call('request_approval', { tool: 'mail', arguments: letter, reason: 'asked for' });
  await tools.call('mail', letter);
  return 'Sent.';
};

const TASKS = Array.from({ length: 6 }, (_, index) => ({
  id: `letter-${index + 1}`,
  input: `Write to Ann about order ${index + 1}.`,
  must: ['mail.sent'],
}));

/** The shop's suite with letters that a judge has to pass. */
function runJudged(workspace: TemporaryWorkspace, ref = 'overlap-accuracy@1', agent = writer, use = {}) {
  const open = openShop(TASKS, {
    judges: [{ judge: ref, on: 'letter', ...use }],
    gate: { pass_rate_low_at_least: 0.4 },
  });
  const judges = createSuiteJudges({
    workspace,
    suite: open.suite,
    env: {},
    concurrency: 2,
    signal: new AbortController().signal,
    now: () => NOW,
  });
  return runShop(open, agent, { judges });
}

describe('a suite with a required judge', () => {
  it('grades no trial before the judge is calibrated, and says why', async () => {
    await using workspace = exampleWorkspace();
    const report = await runJudged(workspace);
    expect(report.outcomes).toEqual({ passed: 0, failed: 0, errored: 0, ungraded: 6 });
    expect(report.judges).toMatchObject([
      { judge: 'overlap-accuracy@1', calibration: 'missing', calibration_hash: null },
    ]);
    expect(report.trials[0]?.reasons).toEqual([
      'judge overlap-accuracy@1 may not speak: there is no judges/overlap-accuracy/v1.calibration.yaml: calibrate the judge and accept it',
    ]);
    expect(report.pass_rate).toMatchObject({ value: null, reason: 'EMPTY' });
    expect(GATE_EXIT[report.decision]).toBe(3);
  });

  it('grades by the judge once it has a calibration', async () => {
    await using workspace = exampleWorkspace();
    saveCalibration(workspace, calibrate(workspace, 'overlap-accuracy@1'));
    const report = await runJudged(workspace);
    expect(report.outcomes.passed).toBe(6);
    expect(report.trials[0]?.judges).toMatchObject([
      { status: 'graded', judge: 'overlap-accuracy@1', criterion: 'accuracy', passed: true },
    ]);
    expect(GATE_EXIT[report.decision]).toBe(0);
  });

  it('fails trials that the judge fails, with its reason', async () => {
    await using workspace = exampleWorkspace();
    const strict: BaselineFit = {
      ...FIT,
      criteria: { accuracy: { rule: 'constant', value: '1' } },
    };
    saveCalibration(workspace, calibrate(workspace, 'overlap-accuracy@1', { baseline_fit: strict }));
    const report = await runJudged(workspace);
    expect(report.outcomes.failed).toBe(6);
    expect(report.trials[0]?.reasons[0]).toMatch(
      /^judge overlap-accuracy@1: accuracy does not pass: overlap@1/,
    );
    expect(GATE_EXIT[report.decision]).toBe(1);
  });

  it('asks no judge where code found the failure, and counts the trial as failed', async () => {
    await using workspace = exampleWorkspace();
    saveCalibration(workspace, calibrate(workspace, 'overlap-accuracy@1'));
    const report = await runJudged(workspace, undefined, async () => 'Sent.');
    expect(report.outcomes.failed).toBe(6);
    expect(report.trials.flatMap(({ judges }) => judges)).toEqual([]);
  });

  it('changes its hash with the judge’s calibration', async () => {
    await using workspace = exampleWorkspace();
    const before = (await runJudged(workspace)).suite_hash;
    saveCalibration(workspace, calibrate(workspace, 'overlap-accuracy@1'));
    const first = (await runJudged(workspace)).suite_hash;
    saveCalibration(workspace, calibrate(workspace, 'overlap-accuracy@1', { looks_at_test: 2 }));
    const second = (await runJudged(workspace)).suite_hash;
    expect(new Set([before, first, second]).size).toBe(3);
  });

  it.each([
    ['expired', { expires: '2026-05-31' }, 'it expired on 2026-05-31'],
    ['of another judge', { judge_hash: 'sha256:1' }, 'it was measured for judge hash sha256:1'],
    ['edited', { hash: 'sha256:2' }, 'its own hash does not match its content: the file was edited'],
    ['of simulated answers', { simulated: true }, 'it was measured on simulated answers'],
    ['with another prompt inside', { prompt_text: 'Be kind.' }, 'is not what it was measured with'],
  ])('refuses a calibration that is %s', async (_name, changes, fault) => {
    await using workspace = exampleWorkspace();
    const sealed = calibrate(workspace, 'overlap-accuracy@1', changes);
    saveCalibration(workspace, 'hash' in changes ? { ...sealed, hash: changes.hash } : sealed);
    const report = await runJudged(workspace);
    expect(report.judges[0]).toMatchObject({ calibration: 'refused' });
    expect(report.judges[0]?.faults.join('\n')).toContain(fault);
    expect(report.outcomes.ungraded).toBe(6);
    expect(GATE_EXIT[report.decision]).toBe(3);
  });
});

describe('a judge that asks a model', () => {
  const JUDGE = 'simulated-accuracy@1';
  const withSimulator = async (work: (workspace: TemporaryWorkspace) => Promise<void>) => {
    await using simulator = await createSimulator();
    await using workspace = exampleWorkspace();
    workspace.config.endpoints.simulator = { base_url: `${simulator.origin}/v1`, simulated: true };
    await work(workspace);
  };

  it('is asked over the wire, sees the artifact and the record, and its level becomes a pass or a fail', async () => {
    await withSimulator(async (workspace) => {
      saveCalibration(workspace, calibrate(workspace, JUDGE, { simulated: true }));
      const report = await runJudged(workspace, JUDGE, writer, { allow_simulated: true });
      const grades = report.trials.flatMap(({ judges }) => judges);
      expect(grades).toHaveLength(6);
      expect(report.judges).toMatchObject([{ calibration: 'valid', simulated: true }]);
      for (const grade of grades) {
        if (grade.status !== 'graded' || grade.result.outcome !== 'scored') continue;
        expect(grade.passed).toBe(grade.result.value === '3');
      }
      expect(grades.some(({ status }) => status === 'graded')).toBe(true);
      const unheard = grades.filter(({ status }) => status === 'ungraded').length;
      expect(report.outcomes.ungraded).toBe(unheard);
    });
  });

  it('leaves trials ungraded where another model answers than was calibrated', async () => {
    await withSimulator(async (workspace) => {
      const served_model = { id: 'sim-judge-2025-01-01', fingerprint: null };
      saveCalibration(workspace, calibrate(workspace, JUDGE, { simulated: true, served_model }));
      const report = await runJudged(workspace, JUDGE, writer, { allow_simulated: true });
      expect(report.outcomes.ungraded).toBe(6);
      expect(report.trials[0]?.reasons[0]).toContain('the calibration is of sim-judge-2025-01-01');
      expect(GATE_EXIT[report.decision]).toBe(3);
    });
  });

  it('leaves trials ungraded where its endpoint can’t be used, and never fails them', async () => {
    await withSimulator(async (workspace) => {
      saveCalibration(workspace, calibrate(workspace, JUDGE, { simulated: true }));
      workspace.config.endpoints.simulator = {
        base_url: 'http://127.0.0.1:9/v1',
        api_key_env: 'NO_SUCH_KEY',
        simulated: true,
      };
      const report = await runJudged(workspace, JUDGE, writer, { allow_simulated: true });
      expect(report.outcomes).toEqual({ passed: 0, failed: 0, errored: 0, ungraded: 6 });
    });
  });
});
