#!/usr/bin/env node
import { readFileSync } from 'node:fs';

/*
 * The front door. Nothing heavy loads here: --version and --help answer at once, a command brings its own modules.
 */

/** Every command, in the order of the work. */
const COMMANDS: {
  name: string;
  summary: string;
  load: () => Promise<{ command: () => import('commander').Command }>;
}[] = [
  { name: 'init', summary: 'make a workspace here', load: () => import('./init.ts') },
  {
    name: 'serve',
    summary: 'open the workbench: label, look, calibrate in the browser',
    load: () => import('./serve.ts'),
  },
  {
    name: 'import',
    summary: 'bring in samples, with labels and verdicts where the file has them',
    load: () => import('./import.ts'),
  },
  { name: 'rubric', summary: 'check, make and publish rubric versions', load: () => import('./rubric.ts') },
  { name: 'judge', summary: 'list judges and run one over a dataset', load: () => import('./judge.ts') },
  {
    name: 'freeze',
    summary: 'freeze labels into a label set with dev and test',
    load: () => import('./freeze.ts'),
  },
  {
    name: 'agreement',
    summary: 'how far a judge agrees with people, with intervals',
    load: () => import('./agreement.ts'),
  },
  {
    name: 'calibrate',
    summary: 'measure a judge on test and accept it',
    load: () => import('./calibrate.ts'),
  },
  {
    name: 'export',
    summary: 'show where a calibrated judge stands and how a suite uses it',
    load: () => import('./export.ts'),
  },
  {
    name: 'suite',
    summary: 'run agents in a sandbox and gate on what they did',
    load: () => import('./suite.ts'),
  },
  { name: 'check', summary: 'check every file of the workspace', load: () => import('./check.ts') },
];

await main(process.argv.slice(2));

async function main(args: string[]): Promise<void> {
  const [first] = args;
  if (first === '--version' || first === '-V') {
    process.stdout.write(`${version()}\n`);
    return;
  }
  if (first === undefined || first === '--help' || first === '-h' || first === 'help') {
    if (args[1] !== undefined && first === 'help') return main([args[1], '--help']);
    process.stdout.write(help());
    return;
  }
  const wanted = COMMANDS.find((command) => command.name === first);
  const { runCommand, unknownCommand } = await import('./run-command.ts');
  if (wanted === undefined)
    return unknownCommand(
      first,
      COMMANDS.map((command) => command.name),
    );
  await runCommand(async () => (await wanted.load()).command(), args.slice(1));
}

function version(): string {
  const { version: text } = JSON.parse(
    readFileSync(
      new URL(import.meta.url.includes('/dist/') ? '../../package.json' : '../package.json', import.meta.url),
      'utf8',
    ),
  );
  return text;
}

function help(): string {
  const lines = COMMANDS.map(({ name, summary }) => `  ${name.padEnd(10)} ${summary}`);
  return `Usage: touchstone <command> [options]

Calibrate LLM judges against people, and grade agents in a sandbox.

Commands:
${lines.join('\n')}

  touchstone <command> --help   what a command takes
  touchstone --version          ${version()}

Exit codes: 0 done, 1 regression, 2 usage or configuration, 3 inconclusive, 4 harm or violation, 130 interrupted.
`;
}
