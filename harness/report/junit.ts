import { createRequire } from 'node:module';
import type { Builder } from 'junit-report-builder';
import type { SuiteReport } from '../../core/gate.ts';
import type { Trial } from '../../core/trial.ts';
import { plainLine, plainText } from './plain-text.ts';

/**
 * A suite's report as JUnit XML: a test case a trial. A failed trial is a `failure`; an errored or ungraded one is an
 * `error`, so that no CI takes missing evidence for an answer. The gate is a test case of its own.
 */
export function junitReport(report: SuiteReport): string {
  const builder = loadBuilder().newBuilder();
  const suite = builder
    .testSuite()
    .name(`${report.suite} v${report.version}`)
    .timestamp(report.started)
    .time(report.ms / 1000);
  for (const [name, value] of [
    ['agent', report.agent],
    ['suite_hash', report.suite_hash],
    ['decision', report.decision],
  ] as const) {
    suite.property(name, plainLine(value));
  }
  for (const trial of report.trials) {
    const test = suite
      .testCase()
      .className(`${report.suite}.${trial.task}`)
      .name(`trial ${trial.trial}`)
      .time(trial.ms / 1000);
    const message = plainText(trial.reasons.join('\n'));
    if (trial.outcome === 'failed') test.failure(message, 'failed');
    if (trial.outcome === 'errored' || trial.outcome === 'ungraded') test.error(message, trial.outcome);
    const said = lastWords(trial);
    if (said !== null) test.standardOutput(said);
  }
  const gate = suite.testCase().className(`${report.suite}.gate`).name('gate').time(0);
  const findings = report.findings
    .filter(({ decision }) => decision !== 'pass')
    .map(({ rule, message }) => `${rule}: ${plainLine(message)}`)
    .join('\n');
  if (report.decision === 'inconclusive') gate.error(findings, report.decision);
  else if (report.decision !== 'pass') gate.failure(findings, report.decision);
  return builder.build();
}

function lastWords({ artifacts }: Trial): string | null {
  const said = artifacts.final;
  return said === undefined ? null : plainText(said.slice(0, 4000));
}

/** Loaded when asked for, by require: its declared default export is not the one that Node's import finds. */
function loadBuilder(): Builder {
  return createRequire(import.meta.url)('junit-report-builder');
}
