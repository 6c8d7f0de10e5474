import { Command, Option } from 'commander';
import { ProviderName } from '../../core/judge.ts';
import { Problem } from '../../core/problem.ts';
import { Rubric, Slug } from '../../core/rubric.ts';
import { lintRubric } from '../../core/rubric-lint.ts';
import type { Loss } from '../../harness/formats/foreign-judge.ts';
import {
  type DraftChoices,
  draftJudges,
  type JudgeDraft,
  slugOf,
} from '../../harness/formats/in/judges/draft.ts';
import { JUDGE_FORMATS, readJudges } from '../../harness/formats/in/judges/read-judges.ts';
import { openSource } from '../../harness/formats/in/judges/source.ts';
import { plainLine } from '../../harness/report/plain-text.ts';
import { readText } from '../../harness/workspace/read-yaml.ts';
import { openWorkspace } from '../../harness/workspace/workspace.ts';
import { writeDrafts } from '../../harness/workspace/write-drafts.ts';
import { WORKSPACE } from '../workspace-option.ts';

interface Options {
  format?: string;
  as?: string;
  criterion?: string;
  model?: string;
  endpoint?: string;
  allowFloating?: boolean;
  json?: boolean;
  workspace: string;
}

/** `touchstone judge import` */
export function importJudge(): Command {
  return new Command('import')
    .description(
      'Make drafts of another tool’s judges: a rubric and a judge, uncalibrated, with a list of what could not be carried. Nothing foreign is run or opened.',
    )
    .argument('<file>', 'the other tool’s file')
    .addOption(new Option('--format <tool>', 'default: told by the file’s shape').choices(JUDGE_FORMATS))
    .option('--as <id>', 'the id of judge and rubric; default: the file’s name')
    .option('--criterion <ids>', 'only these, with commas between; default: all that the file has')
    .option('--model <provider:model>', 'in place of the model that the file names, if it names one')
    .option('--endpoint <name>', 'with --model openai-compatible:…, an endpoint of touchstone.yaml')
    .option('--allow-floating', 'keep a model name without a date; such a judge can’t be calibrated')
    .option('--json', 'the report as JSON')
    .option(...WORKSPACE)
    .action((file: string, options: Options) => {
      const workspace = openWorkspace(options.workspace);
      const source = openSource(readText(file, file), file);
      const { format, judges } = readJudges(source, options.format ?? null);
      const drafts = draftJudges(source, judges, choicesOf(file, options));
      const files = writeDrafts(
        workspace,
        drafts.map((draft) => ({ ...draft, ...notesOf(draft, format, file) })),
      );
      const report = { format, files, drafts: drafts.map(reportOf) };
      process.stdout.write(options.json === true ? `${JSON.stringify(report, null, 2)}\n` : shown(report));
    });
}

function choicesOf(file: string, { as, criterion, model, endpoint, allowFloating }: Options): DraftChoices {
  const id = as ?? slugOf(file.replace(/^.*[\\/]/, '').replace(/\.[^.]*$/, ''), 'imported');
  if (!Slug.safeParse(id).success || id.length > 60) {
    throw new Problem(
      'bad_id',
      `"${id}" is no id: up to 60 lower-case letters, digits, dot, dash, underscore`,
      {
        remedy: 'Give one with --as, such as --as refund-tone.',
      },
    );
  }
  return {
    id,
    criteria: criterion === undefined ? null : criterion.split(',').map((one) => one.trim()),
    model: model === undefined ? null : { ...modelOption(model), endpoint: endpoint ?? null },
    allowFloating: allowFloating === true,
  };
}

function modelOption(text: string): { provider: ProviderName; model: string } {
  const at = text.indexOf(':');
  const provider = ProviderName.exclude(['baseline']).safeParse(text.slice(0, Math.max(at, 0)));
  const model = text.slice(at + 1).trim();
  if (provider.success && model !== '') return { provider: provider.data, model };
  throw new Problem('bad_model', `--model ${text}: expected provider:model`, {
    remedy: `Providers: ${ProviderName.exclude(['baseline']).options.join(', ')}. Such as --model openai:gpt-4.1-2025-04-14.`,
  });
}

/** What the files themselves tell of where they come from. */
function notesOf(draft: JudgeDraft, format: string, file: string) {
  const origin = `A draft made of ${plainLine(file)} (${format}). Not calibrated: how far it can be trusted is not known.`;
  const lost =
    draft.losses.length === 0
      ? []
      : ['Not carried over:', ...draft.losses.map((loss) => `- ${lossText(loss)}`)];
  return {
    rubricNotes: [
      `A draft made of ${plainLine(file)} (${format}). Write an anchor for each level that has none.`,
      'Say evidence.required: false where a level means that something is absent: absence can’t be quoted.',
    ],
    judgeNotes: [origin, ...lost],
  };
}

function lossText({ at, why }: Loss): string {
  const path = at.join('.');
  return plainLine(path === '' ? why : `${path}: ${why}`, 400);
}

function reportOf(draft: JudgeDraft) {
  const rubric = Rubric.parse(draft.rubric);
  const { judge, provider, model, criteria, allow_floating: floating } = draft.judge;
  return {
    judge: `${judge}@1`,
    provider,
    model,
    floating: floating ?? false,
    criteria,
    calibrated: false,
    not_carried: draft.losses.map(({ at, why }) => ({ at: at.join('.'), why })),
    lint: lintRubric(rubric).map((finding) => ({ file: `rubrics/${rubric.rubric}/v1.yaml`, ...finding })),
  };
}

function shown({
  format,
  files,
  drafts,
}: {
  format: string;
  files: string[];
  drafts: ReturnType<typeof reportOf>[];
}): string {
  const lines = [`read as ${format}; written: ${files.join(', ')}`];
  for (const { judge, provider, model, floating, criteria, not_carried: lost, lint } of drafts) {
    lines.push(
      '',
      `${judge}: a draft, not calibrated; ${provider} ${plainLine(model)}${floating ? ' (a floating alias: it can’t be calibrated)' : ''}; criteria ${criteria.join(', ')}`,
    );
    lines.push(lost.length === 0 ? '  everything was carried over' : '  not carried over:');
    for (const { at, why } of lost) lines.push(`    ${lossText({ at: [at], why })}`);
    for (const { file, path, severity, rule, message } of lint)
      lines.push(`  ${file} ${path}: ${severity}: ${plainLine(message)} [${rule}]`);
  }
  const [first] = drafts;
  const id = first?.judge ?? '';
  lines.push(
    '',
    `Next: write the anchors, then touchstone rubric lint ${id}, label samples, and touchstone calibrate ${id}.`,
  );
  return `${lines.join('\n')}\n`;
}
