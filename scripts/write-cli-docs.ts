import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { writeFileWhole } from '../harness/workspace/write-file.ts';

/* Writes docs/cli.md from the commands' own help; --check only says whether it is current. */

const PATH = 'docs/cli.md';
const ORDER = [
  'init',
  'serve',
  'import',
  'rubric',
  'judge',
  'freeze',
  'agreement',
  'calibrate',
  'export',
  'suite',
  'check',
];

process.env.USER = 'someone'; // defaults in the help must not name this machine's person
const parts = [
  '# Commands',
  '',
  'Written from `touchstone <command> --help` by `npm run docs`. Exit codes: 0 done, 1 regression, 2 usage or configuration, 3 inconclusive, 4 harm or violation, 130 interrupted.',
  '',
];
for (const name of ORDER) {
  const { command }: { command: () => Command } = await import(`../cli/${name}.ts`);
  parts.push(...helpOf(command(), `touchstone ${name}`));
}
const text = `${parts.join('\n').trimEnd()}\n`;
const missing = readdirSync('cli').filter(
  (file) =>
    file.endsWith('.ts') &&
    readFileSync(`cli/${file}`, 'utf8').includes('export function command()') &&
    !ORDER.includes(file.slice(0, -3)),
);
if (missing.length > 0) throw new Error(`commands without a place in docs/cli.md: ${missing.join(', ')}`);
if (!process.argv.includes('--check')) writeFileWhole(PATH, text);
else if (!existsSync(PATH) || readFileSync(PATH, 'utf8') !== text) {
  console.error(`${PATH} is not current; run npm run docs`);
  process.exitCode = 1;
}

function helpOf(command: Command, name: string): string[] {
  command.configureHelp({ helpWidth: 100 });
  command.configureOutput({ getOutHelpWidth: () => 100, getOutHasColors: () => false });
  let text = '';
  command.configureOutput({
    writeOut: (piece) => {
      text += piece;
    },
  });
  command.outputHelp();
  const shown = text.replace(/^Usage: \S+/, `Usage: ${name}`).trimEnd();
  const inner = command.commands.flatMap((one) => helpOf(one, `${name} ${one.name()}`));
  return [`## ${name}`, '', '```', shown, '```', '', ...inner];
}
