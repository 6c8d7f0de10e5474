import { cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { Problem } from '../core/problem.ts';
import { Slug } from '../core/rubric.ts';
import { packageRoot } from '../harness/asset.ts';
import { CONFIG_FILE } from '../harness/workspace/workspace.ts';
import { writeFileWhole } from '../harness/workspace/write-file.ts';

const EXAMPLE = ['touchstone.yaml', 'rubrics', 'judges', 'labels', 'suites'];

/** `touchstone init`: a fresh workspace, empty or with the example. */
export function command(): Command {
  return new Command('init')
    .description(
      'Make a workspace: the folders, touchstone.yaml and, with --example, the refund agent’s rubrics, judges, samples and suites.',
    )
    .argument('[dir]', 'where', '.')
    .option('--name <name>', 'the workspace’s name; default: the folder’s')
    .option('--example', 'bring the example in')
    .action((dir: string, options: { name?: string; example?: boolean }) => {
      const root = resolve(dir);
      if (existsSync(join(root, CONFIG_FILE))) {
        throw new Problem('workspace_exists', `${join(root, CONFIG_FILE)} exists`, {
          remedy: 'It is a workspace already: touchstone serve.',
        });
      }
      mkdirSync(root, { recursive: true });
      if (options.example === true) copyExample(root);
      else writeEmpty(root, options.name ?? root.split(/[\\/]/).at(-1) ?? 'workspace');
      process.stdout.write(
        `${root} is a workspace.\n\nNext:\n  touchstone import <file> --dataset <name>    bring samples in\n  touchstone serve                             label them in the browser\n`,
      );
    });
}

function copyExample(root: string): void {
  const taken = EXAMPLE.filter((name) => existsSync(join(root, name)));
  if (taken.length > 0) {
    throw new Problem('not_empty', `${root} holds ${taken.join(', ')} already`, {
      remedy: 'Choose an empty folder: touchstone init my-workspace --example.',
    });
  }
  for (const name of EXAMPLE) {
    cpSync(join(packageRoot(), name), join(root, name), {
      recursive: true,
      filter: (path) => !/calibration\.yaml$|[\\/]v\d+\.jsonl$/.test(path),
    });
  }
  writeIgnore(root);
}

function writeEmpty(root: string, name: string): void {
  for (const folder of ['rubrics', 'judges', 'labels', 'suites'])
    mkdirSync(join(root, folder), { recursive: true });
  const shown = Slug.safeParse(name).success ? name : JSON.stringify(name);
  writeFileWhole(
    join(root, CONFIG_FILE),
    `name: ${shown}\n# Samples to import when the workbench opens: <name>: {file: labels/<name>/samples.jsonl, rubric: <id@version>}\ndatasets: {}\n# Your own model servers, by name; keys come from the environment: <name>: {base_url: http://127.0.0.1:11434/v1}\nendpoints: {}\n`,
  );
  writeIgnore(root);
}

/** The database is what was observed; it does not belong in git. */
function writeIgnore(root: string): void {
  const path = join(root, '.gitignore');
  if (!existsSync(path) && !readdirSync(root).includes('.git')) writeFileWhole(path, '.touchstone/\n');
}
