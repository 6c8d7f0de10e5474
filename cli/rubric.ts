import { Command, Option } from 'commander';
import { Problem } from '../core/problem.ts';
import { lintRubric } from '../core/rubric-lint.ts';
import { ScaleKind } from '../core/scale.ts';
import { draftRubric } from '../harness/workspace/draft-rubric.ts';
import { loadRubric, publishRubric } from '../harness/workspace/rubrics.ts';
import { listVersions } from '../harness/workspace/versions.ts';
import { openWorkspace } from '../harness/workspace/workspace.ts';
import { WORKSPACE } from './workspace-option.ts';

/** `touchstone rubric`: lint, new, publish. */
export function command(): Command {
  return new Command('rubric')
    .description('Check, make and publish rubric versions.')
    .addCommand(lint())
    .addCommand(create())
    .addCommand(publish());
}

function lint(): Command {
  return new Command('lint')
    .description('Find what makes a rubric hard to agree on. Errors block publishing, warnings do not.')
    .argument('[ref]', 'id@version; default: every version')
    .option('--json', 'findings as JSON')
    .option(...WORKSPACE)
    .action((ref: string | undefined, options: { json?: boolean; workspace: string }) => {
      const workspace = openWorkspace(options.workspace);
      const refs = ref === undefined ? listVersions(workspace, 'rubrics').map((file) => file.ref) : [ref];
      const findings = refs.flatMap((one) => {
        const { rubric, file } = loadRubric(workspace, one);
        return lintRubric(rubric).map((finding) => ({ file, ...finding }));
      });
      const errors = findings.filter((finding) => finding.severity === 'error').length;
      if (options.json === true) process.stdout.write(`${JSON.stringify({ findings }, null, 2)}\n`);
      else {
        for (const { file, path, severity, rule, message } of findings)
          process.stdout.write(`${file} ${path}: ${severity}: ${message} [${rule}]\n`);
        process.stdout.write(
          `${refs.length} rubric versions, ${errors} errors, ${findings.length - errors} warnings\n`,
        );
      }
      if (errors > 0) process.exitCode = 1;
    });
}

function create(): Command {
  return new Command('new')
    .description('Write a first draft of a rubric to fill in')
    .argument('<id>', 'the rubric’s name')
    .requiredOption('--criterion <ids>', 'one criterion, or several with commas between')
    .addOption(
      new Option('--scale <scale>', 'the scale of each').choices(ScaleKind.options).default('binary'),
    )
    .option('--levels <a,b,c>', 'such as 1..5 or no,yes')
    .option(...WORKSPACE)
    .action(
      (id: string, options: { criterion: string; scale: ScaleKind; levels?: string; workspace: string }) => {
        const { file } = draftRubric(openWorkspace(options.workspace), {
          id,
          criterion: options.criterion,
          scale: options.scale,
          levels: options.levels ?? null,
        });
        process.stdout.write(
          `${file}: write an anchor for each level, then: touchstone rubric lint ${id}@1\n`,
        );
      },
    );
}

function publish(): Command {
  return new Command('publish')
    .description('Make a version immutable: its hash goes into touchstone.lock')
    .argument('<ref>', 'id@version')
    .option(...WORKSPACE)
    .action((ref: string, options: { workspace: string }) => {
      const workspace = openWorkspace(options.workspace);
      const { rubric, file } = loadRubric(workspace, ref);
      const errors = lintRubric(rubric).filter((finding) => finding.severity === 'error');
      if (errors.length > 0) {
        throw new Problem('lint_errors', `${file} has ${errors.length} errors`, {
          remedy: 'Mend them, then publish.',
          details: errors.map((finding) => `${finding.path}: ${finding.message}`),
        });
      }
      const { hash } = publishRubric(workspace, ref);
      process.stdout.write(`${ref} is published: ${hash}\n`);
    });
}
