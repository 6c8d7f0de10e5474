import { GATE_EXIT, type SuiteReport } from '../../core/gate.ts';
import { plainLine } from './plain-text.ts';
import { reasonsByTask, suiteFigures } from './suite-figures.ts';

/** A suite's report as GitHub-flavoured Markdown, for a CI summary or a pull request. */
export function markdownReport(report: SuiteReport): string {
  const { outcomes, decision } = report;
  const blocks = [
    `## ${text(report.suite)} v${report.version}: ${decision} (exit ${GATE_EXIT[decision]})`,
    `Agent ${text(report.agent)}, ${report.tasks.length} tasks × ${report.k} trials. Passed ${outcomes.passed}, failed ${outcomes.failed}, errored ${outcomes.errored}, ungraded ${outcomes.ungraded}.`,
    table(
      ['', 'estimate', '95% interval', 'n'],
      suiteFigures(report).map(({ name, value, interval, n }) => [name, value, interval, n]),
    ),
    table(
      ['gate rule', 'decision', ''],
      report.findings.map(({ rule, decision: found, message }) => [rule, found, message]),
    ),
    ...(report.judges.length === 0
      ? []
      : [
          table(
            ['judge', 'calibration', ''],
            report.judges.map(({ judge, calibration, faults, simulated }) => [
              judge,
              calibration,
              [...faults, ...(simulated ? ['measured on simulated answers'] : [])].join('; '),
            ]),
          ),
        ]),
    table(
      ['task', 'passed', 'of', 'errored', 'ungraded'],
      report.tasks.map(({ task, passed, n, counts }) => [
        task,
        String(passed),
        String(n),
        String(counts.errored),
        String(counts.ungraded),
      ]),
    ),
    ...reasonsByTask(report).map(({ task, reasons }) =>
      [
        `**${text(task)}**`,
        '',
        ...reasons.map(
          ({ outcome, reason, trials }) => `- ${outcome} in trial ${trials.join(', ')}: ${text(reason)}`,
        ),
      ].join('\n'),
    ),
    ...(report.left_out.length === 0
      ? []
      : [`Left out: ${report.left_out.map(({ task, why }) => `${text(task)} (${text(why)})`).join(', ')}.`]),
    `Suite \`${report.suite_hash}\``,
  ];
  return `${blocks.join('\n\n')}\n`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]) => `| ${cells.map(text).join(' | ')} |`;
  return [row(head), `| ${head.map(() => '---').join(' | ')} |`, ...rows.map(row)].join('\n');
}

/** A stranger's text as text: no markup, no link, no mention takes effect. */
function text(value: string): string {
  return plainLine(value, 400)
    .replace(/[\\`*_{}[\]<>()#+!|~^-]/g, (character) => `&#${character.codePointAt(0)};`)
    .replaceAll('@', '&#64;')
    .replaceAll('://', '&#58;//');
}
