import pc from 'picocolors';
import { GATE_EXIT, type GateDecision, type SuiteReport } from '../../core/gate.ts';
import { plainLine } from './plain-text.ts';
import { reasonsByTask, suiteFigures } from './suite-figures.ts';

type Paint = (text: string) => string;

/** A suite's report as a person reads it in a terminal. @param color false = no escape sequences at all. */
export function terminalReport(report: SuiteReport, color: boolean): string {
  const paint = pc.createColors(color);
  const ofDecision: Record<GateDecision, Paint> = {
    pass: paint.green,
    regression: paint.red,
    inconclusive: paint.yellow,
    violation: paint.red,
  };
  const { outcomes, decision } = report;
  const head = `${report.suite} v${report.version} · agent ${plainLine(report.agent)} · ${report.tasks.length} tasks × ${report.k} trials`;
  const counts = Object.entries(outcomes).map(([outcome, count]) => `${outcome} ${count}`);
  const lines = [
    paint.bold(head),
    paint.dim(report.suite_hash),
    '',
    counts.join('   '),
    '',
    ...columns(
      [
        ['', 'estimate', '95% interval', 'n'],
        ...suiteFigures(report).map(({ name, value, interval, n }) => [name, value, interval, n]),
      ],
      paint.dim,
    ),
    '',
    ...columns(
      [
        ['task', 'passed', 'of', 'errored', 'ungraded'],
        ...report.tasks.map(({ task, passed, n, counts: by }) => [
          task,
          String(passed),
          String(n),
          String(by.errored),
          String(by.ungraded),
        ]),
      ],
      paint.dim,
    ),
    ...reasonLines(report, paint.bold),
    ...judgeLines(report),
    ...report.left_out.map(({ task, why }) => `left out: ${task} (${why})`),
    '',
    ...report.findings.map(
      (finding) =>
        `${ofDecision[finding.decision](finding.decision.padEnd(12))} ${finding.rule}: ${plainLine(finding.message)}`,
    ),
    paint.bold(ofDecision[decision](`gate: ${decision} (exit ${GATE_EXIT[decision]})`)),
  ];
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}

function reasonLines(report: SuiteReport, bold: Paint): string[] {
  return reasonsByTask(report).flatMap(({ task, reasons }) => [
    '',
    bold(task),
    ...reasons.map(
      ({ outcome, reason, trials }) => `  ${outcome} in trial ${trials.join(', ')}: ${plainLine(reason)}`,
    ),
  ]);
}

function judgeLines({ judges }: SuiteReport): string[] {
  if (judges.length === 0) return [];
  const lines = judges.map(({ judge, calibration, simulated, faults }) => {
    const note = simulated ? ', measured on simulated answers' : '';
    const why = faults.length > 0 ? `: ${faults.map((fault) => plainLine(fault)).join('; ')}` : '';
    return `judge ${judge}: calibration ${calibration}${note}${why}`;
  });
  return ['', ...lines];
}

/** Left-aligned columns, two spaces apart; the first row is the head. */
function columns(rows: readonly (readonly string[])[], head: Paint): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => [...(row[column] ?? '')].length)),
  );
  return rows.map((row, index) => {
    const line = row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
    return index === 0 ? head(line.trimEnd()) : line;
  });
}
