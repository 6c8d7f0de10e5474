import { createReadStream, existsSync, statSync } from 'node:fs';
import { Command, Option } from 'commander';
import { Problem } from '../core/problem.ts';
import type { Criterion, Rubric } from '../core/rubric.ts';
import { SampleKind } from '../core/sample.ts';
import { ScaleKind } from '../core/scale.ts';
import { nativeDigest } from '../harness/digest.ts';
import { parseMapping } from '../harness/formats/in/mapping.ts';
import { type FileFormat, formatOfName } from '../harness/formats/in/records.ts';
import { plainLine } from '../harness/report/plain-text.ts';
import { draftRubric } from '../harness/workspace/draft-rubric.ts';
import { loadRubric } from '../harness/workspace/rubrics.ts';
import { openWorkspace } from '../harness/workspace/workspace.ts';
import { type ImportReport, importFile } from '../server/import.ts';
import { ProgressLine } from './progress.ts';
import { withServices } from './services.ts';
import { WORKSPACE } from './workspace-option.ts';

interface Options {
  dataset: string;
  kind: SampleKind;
  format?: FileFormat;
  map: string[];
  rubric?: string;
  criterion?: string;
  scale?: ScaleKind;
  levels?: string;
  json?: boolean;
  workspace: string;
}

/** `touchstone import`: samples from JSONL, CSV or JSON, with the labels and verdicts that the file holds. */
export function command(): Command {
  return new Command('import')
    .description(
      'Bring in samples from JSONL, CSV or JSON. Good rows go in, bad ones are reported with their line.',
    )
    .argument('<file>', 'the file; - reads standard input')
    .requiredOption('--dataset <name>', 'the dataset that the samples go to, made where it is missing')
    .addOption(new Option('--kind <kind>', 'what a row is').choices(SampleKind.options).default('single'))
    .addOption(
      new Option('--format <format>', 'default: by the file’s name').choices(['jsonl', 'json', 'csv']),
    )
    .option(
      '--map <field=path>',
      'where a field stands in a row; repeatable. A dotted path, /json/pointer, or "{a} {b}"',
      collect,
      [],
    )
    .option('--rubric <id@version>', 'the rubric that labels and verdicts in the file belong to')
    .option('--criterion <id>', 'the criterion that they answer, where --map criterion=... does not say')
    .addOption(
      new Option('--scale <scale>', 'no rubric yet: write a draft of one with this scale').choices(
        ScaleKind.options,
      ),
    )
    .option('--levels <a,b,c>', 'levels of the draft, such as 1..5 or no,yes')
    .option('--json', 'the report as JSON')
    .option(...WORKSPACE)
    .addHelpText('after', HELP)
    .action((file: string, options: Options) =>
      withServices({ workspace: options.workspace, command: 'import' }, async ({ store, now }) => {
        const format = options.format ?? formatOfName(file);
        if (format === null)
          throw new Problem('no_format', `${file} does not say what it is`, {
            remedy: 'Add --format jsonl, json or csv.',
          });
        if (file !== '-' && !existsSync(file))
          throw new Problem('no_file', `there is no ${file}`, { remedy: 'Check the path.' });
        const bytes = file === '-' ? null : statSync(file).size;
        const rubric = rubricOf(options);
        const line = new ProgressLine();
        const report = await importFile(
          store,
          file === '-' ? process.stdin : createReadStream(file, { highWaterMark: 1 << 20 }),
          {
            dataset: options.dataset,
            format,
            kind: options.kind,
            mapping: parseMapping(options.map),
            criterion: criterionOf(rubric, options.criterion),
            rubric,
            digest: nativeDigest,
            now: now().toISOString(),
            onProgress: (progress) =>
              line.show(
                `${progress.rows} rows${bytes === null ? '' : `, ${Math.floor((100 * progress.bytes) / bytes)} %`}`,
              ),
          },
        );
        line.end();
        process.stdout.write(
          options.json === true ? `${JSON.stringify(report, null, 2)}\n` : reportText(report),
        );
        if (report.added + report.known === 0) process.exitCode = 2;
      }),
    );
}

const HELP = `
Fields of --map: id, input, output, outputs.a, outputs.b, trace, context, reference, group, metadata, criterion,
  labels (an object of annotator: value), label.<annotator>, verdicts (an object of judge: value, {verdict, reason} or
  {ab, ba}), verdict.<judge>. "id=" says that the rows have no id of their own.

Example, pairs with three annotators and two judges:
  touchstone import pairs.jsonl --dataset pairs --kind pair --scale pairwise --criterion better \\
    --map 'input={instruction} {input}' --map labels=human --map verdicts=judges
`;

function collect(value: string, list: string[]): string[] {
  return [...list, value];
}

function rubricOf(options: Options): Rubric | null {
  const workspace = openWorkspace(options.workspace);
  if (options.rubric !== undefined) return loadRubric(workspace, options.rubric).rubric;
  if (options.scale === undefined) return null;
  return draftRubric(workspace, {
    id: options.dataset,
    criterion: options.criterion ?? 'rating',
    scale: options.scale,
    levels: options.levels ?? null,
  }).rubric;
}

function criterionOf(rubric: Rubric | null, id: string | undefined): Criterion | null {
  if (rubric === null) return null;
  const found =
    id === undefined
      ? rubric.criteria.length === 1 && rubric.criteria[0]
      : rubric.criteria.find((one) => one.id === id.split(',')[0]);
  if (id !== undefined && !found) {
    throw new Problem('no_criterion', `the rubric has no criterion "${id}"`, {
      remedy: `It has: ${rubric.criteria.map((one) => one.id).join(', ')}.`,
    });
  }
  return found || null;
}

function reportText(report: ImportReport): string {
  const lines = [
    `${report.dataset}: ${report.rows} rows, ${report.added} samples added, ${report.known} there already, ${report.rejected} left out`,
    ...(report.labels > 0 ? [`  ${report.labels} labels`] : []),
    ...(report.verdicts > 0
      ? [`  ${report.verdicts} verdicts, ${report.unreadable_verdicts} of them unreadable: kept as unscored`]
      : []),
    ...(report.duplicates.contents > 0
      ? [
          `  ${report.duplicates.samples} samples share ${report.duplicates.contents} contents: duplicates stay in one split and one cluster`,
        ]
      : []),
    ...report.rejections.slice(0, 20).map(({ line, reason }) => `  line ${line}: ${plainLine(reason)}`),
    ...(report.rejected > 20 ? [`  … and ${report.rejected - 20} more (--json lists them)`] : []),
  ];
  return `${lines.join('\n')}\n`;
}
