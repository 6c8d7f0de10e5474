import { randomUUID } from 'node:crypto';
import { Command } from 'commander';
import { GATE_EXIT, type SuiteReport } from '../core/gate.ts';
import { Problem } from '../core/problem.ts';
import { junitReport } from '../harness/report/junit.ts';
import { markdownReport } from '../harness/report/markdown.ts';
import { plainLine } from '../harness/report/plain-text.ts';
import { terminalReport } from '../harness/report/terminal.ts';
import { createSuiteJudges } from '../harness/suite/judge-trial.ts';
import { suiteWarnings } from '../harness/suite/lint.ts';
import { openAgent, openSuite } from '../harness/suite/open-suite.ts';
import { runSuite, type SuiteEvent } from '../harness/suite/run-suite.ts';
import { listSuites } from '../harness/workspace/suites.ts';
import { openWorkspace } from '../harness/workspace/workspace.ts';
import { writeFileWhole } from '../harness/workspace/write-file.ts';
import { WORKSPACE } from './workspace-option.ts';

interface Place {
  workspace: string;
}

interface RunOptions extends Place {
  agent?: string;
  trials?: number;
  tasks?: string[];
  concurrency: number;
  seed: number;
  json?: boolean;
  junit?: string;
  markdown?: string;
  exitZero?: boolean;
}

/** `touchstone suite`: run, list, lint. A run ends the process with the gate's exit code. */
export function command(): Command {
  const suite = new Command('suite').description('run agent evaluation suites and gate on them');
  suite
    .command('run <suite>')
    .description('run every task k times in a fresh sandbox, grade and gate')
    .option(...WORKSPACE)
    .option('--agent <name>', "one of the suite's agents; default its own")
    .option('--trials <n>', "trials a task; default the suite's", wholeNumber)
    .option('--tasks <ids>', 'only these tasks, separated by commas', (text) =>
      text.split(',').filter(Boolean),
    )
    .option('--concurrency <n>', 'trials at a time', wholeNumber, 4)
    .option('--seed <n>', 'decides the order of the trials', wholeNumber, 1)
    .option('--json', 'the whole report as JSON on standard output')
    .option('--junit <file>', 'write JUnit XML')
    .option('--markdown <file>', 'write a Markdown summary')
    .option('--exit-zero', 'exit 0 whatever the gate says')
    .addHelpText(
      'after',
      '\nExit codes: 0 pass, 1 regression, 2 usage or configuration, 3 inconclusive, 4 harm or hard violation',
    )
    .action(run);
  suite
    .command('list')
    .description('list the suites of the workspace')
    .option(...WORKSPACE)
    .action(list);
  suite
    .command('lint <suite>')
    .description('check a suite without running it; warnings do not fail')
    .option(...WORKSPACE)
    .action(lint);
  return suite;
}

async function run(id: string, options: RunOptions): Promise<void> {
  const workspace = openWorkspace(options.workspace);
  const open = await openSuite(workspace, id);
  const agent = await openAgent(workspace, open.suite, options.agent);
  const stop = new AbortController();
  const judges = createSuiteJudges({
    workspace,
    suite: open.suite,
    env: process.env,
    concurrency: options.concurrency,
    signal: stop.signal,
    now: Date.now,
  });
  const unwatch = watchForStops(stop);
  try {
    const report = await runSuite(open, {
      agent,
      judges,
      ...(options.trials !== undefined && { trials: options.trials }),
      ...(options.tasks !== undefined && { tasks: options.tasks }),
      concurrency: options.concurrency,
      seed: options.seed,
      signal: stop.signal,
      now: Date.now,
      newToken: randomUUID,
      onEvent: drawProgress,
    });
    await writeReports(report, options);
    // An agent may have left timers behind; they are not waited for.
    process.exit(options.exitZero ? 0 : GATE_EXIT[report.decision]);
  } finally {
    unwatch();
  }
}

async function writeReports(report: SuiteReport, { json, junit, markdown }: RunOptions): Promise<void> {
  if (junit !== undefined) writeFileWhole(junit, junitReport(report));
  if (markdown !== undefined) writeFileWhole(markdown, markdownReport(report));
  const text = json ? `${JSON.stringify(report, null, 2)}\n` : terminalReport(report, wantsColor());
  await new Promise((resolve) => process.stdout.write(text, resolve));
}

/** A first Ctrl-C ends the run with a report of what there is; so does an agent's stray rejection, which has no trial. */
function watchForStops(stop: AbortController): () => void {
  const interrupted = () => stop.abort();
  const stray = (error: unknown) => {
    console.error(`the agent left a rejected promise behind: ${plainLine(String(error))}`);
    stop.abort();
  };
  process.once('SIGINT', interrupted);
  process.on('unhandledRejection', stray);
  return () => {
    process.off('SIGINT', interrupted);
    process.off('unhandledRejection', stray);
  };
}

/** One moving line on a terminal, nothing elsewhere; what must not be lost goes to standard error as a line. */
function drawProgress(event: SuiteEvent): void {
  const terminal = process.stderr.isTTY;
  const clear = terminal ? '\r\u001b[2K' : '';
  if (event.type === 'late_call') {
    const tool = plainLine(event.tool, 80);
    process.stderr.write(
      `${clear}refused: ${event.task} trial ${event.trial} called ${tool} after its end\n`,
    );
  }
  if (!terminal || event.type !== 'trial_done') return;
  const last = event.done === event.total ? clear : '';
  process.stderr.write(
    `${clear}${event.done}/${event.total} ${event.task} trial ${event.trial} ${event.outcome}${last}`,
  );
}

function wantsColor(): boolean {
  return Boolean(process.stdout.isTTY) && !process.env.NO_COLOR;
}

function list({ workspace }: Place): void {
  const ids = listSuites(openWorkspace(workspace));
  process.stdout.write(ids.map((id) => `${id}\n`).join(''));
  if (ids.length === 0) console.error('no suites: write suites/<id>/suite.yaml');
}

async function lint(id: string, { workspace }: Place): Promise<void> {
  const open = await openSuite(openWorkspace(workspace), id);
  const warnings = suiteWarnings(open);
  for (const warning of warnings) process.stdout.write(`warning: ${warning}\n`);
  process.stdout.write(`${id}: ${open.tasks.length} tasks, no error, ${warnings.length} warnings\n`);
}

function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text);
  throw new Problem('bad_option', `"${text}" is no whole number from 1 to 999`, {
    remedy: 'Correct the option.',
  });
}
