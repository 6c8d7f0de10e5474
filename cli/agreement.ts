import { Command, Option } from 'commander';
import type { AgreementReport } from '../core/agreement.ts';
import { Problem } from '../core/problem.ts';
import { plainLine } from '../harness/report/plain-text.ts';
import { loadRubric } from '../harness/workspace/rubrics.ts';
import { agreement } from '../server/agreement.ts';
import type { Services } from '../server/services.ts';
import { figure } from './figures.ts';
import { withServices } from './services.ts';
import { WORKSPACE } from './workspace-option.ts';

interface Options {
  rubric?: string;
  criterion?: string;
  judge?: string;
  set?: string;
  split: 'dev' | 'test' | 'all';
  look?: string;
  by: string;
  where: string[];
  json?: boolean;
  workspace: string;
}

/** `touchstone agreement`: every judge with verdicts in a dataset against people, or the one that is named. */
export function command(): Command {
  return new Command('agreement')
    .description(
      'How far judges agree with people. Where a label set is frozen, dev is shown; test needs a reason and is counted.',
    )
    .argument('<dataset>', 'the dataset')
    .option('--rubric <id@version>', 'default: the one that the dataset was labelled under')
    .option('--criterion <id>', 'default: every criterion')
    .option('--judge <name>', 'judge@version or foreign:name; default: every judge with verdicts')
    .option('--set <id@version>', 'a frozen label set; default: the latest')
    .addOption(
      new Option('--split <split>', 'which part of a frozen label set')
        .choices(['dev', 'test', 'all'])
        .default('dev'),
    )
    .option('--look <reason>', 'why you look at test or all; it is recorded and counted')
    .option('--by <name>', 'who looks', process.env.USER ?? 'someone')
    .option(
      '--where <field=value>',
      'only samples with this metadata; repeatable',
      (value: string, list: string[]) => [...list, value],
      [],
    )
    .option('--json', 'the whole reports as JSON')
    .option(...WORKSPACE)
    .action((name: string, options: Options) =>
      withServices(
        { workspace: options.workspace, command: 'agreement', readonly: options.look === undefined },
        (services) => {
          const reports = reportsOf(services, name, options);
          process.stdout.write(
            options.json === true
              ? `${JSON.stringify({ reports }, null, 2)}\n`
              : `${reports.map(reportText).join('\n\n')}\n`,
          );
        },
      ),
    );
}

function reportsOf(services: Services, name: string, options: Options): AgreementReport[] {
  const { store, workspace } = services;
  const dataset = store.samples.dataset(name);
  const ref = options.rubric ?? dataset.rubric ?? store.labels.rubrics(dataset.id)[0];
  if (ref === undefined)
    throw new Problem('no_labels', `${name} has no labels`, {
      remedy: 'Label some samples: touchstone serve.',
    });
  const { rubric } = loadRubric(workspace, ref);
  const criteria =
    options.criterion === undefined ? rubric.criteria.map((one) => one.id) : [options.criterion];
  const judges = options.judge === undefined ? store.verdicts.judgesOf(dataset.id) : null;
  const where = Object.fromEntries(options.where.map(pair));
  return criteria.flatMap((criterion) => {
    const names =
      judges === null
        ? [options.judge ?? '']
        : [
            ...new Set(
              judges.filter((judge) => judge.criteria.includes(criterion)).map((judge) => judge.name),
            ),
          ];
    return agreement(services, {
      dataset: name,
      rubric: ref,
      criterion,
      judges: names,
      labelSet: options.set ?? null,
      split: options.split,
      where,
      look: options.look === undefined ? null : { by: options.by, reason: options.look },
    });
  });
}

function pair(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw new Problem('bad_where', `--where ${text} has no "="`, { remedy: 'Write --where field=value.' });
}

function reportText(report: AgreementReport): string {
  const { agreement: figures, orders, humans } = report;
  const unscored = Object.entries(report.unscored).map(([reason, n]) => `${n} ${reason}`);
  const ceiling =
    humans.mean_kappa === null
      ? 'one person only'
      : `${humans.mean_kappa.toFixed(2)} (${humans.annotators.length} people, mean over pairs)`;
  const lines = [
    `${report.judge} on ${report.criterion}${report.simulated ? ' (simulated)' : ''}: ${report.dataset}, ${report.label_set === null ? 'all labels, nothing frozen' : `${report.label_set} ${report.split}`}`,
    `  kappa (${figures.kappa.weights})  ${figure(figures.kappa, 'coefficient')}`,
    `  human-human kappa  ${ceiling}`,
    `  percent agreement  ${figure(figures.percent, 'rate')}`,
    `  AC1                ${figure(figures.ac1, 'coefficient')}`,
    `  base rate          ${figure(report.base_rate, 'rate')}`,
    ...(report.sensitivity === null ? [] : [`  sensitivity        ${figure(report.sensitivity, 'rate')}`]),
    ...(report.specificity === null ? [] : [`  specificity        ${figure(report.specificity, 'rate')}`]),
    ...(orders === null
      ? []
      : [
          `  order conflicts    ${figure(orders.conflict_rate, 'rate')}; net shift to the first slot ${figure(orders.net_shift, 'coefficient')}`,
        ]),
    ...(report.repeats === null
      ? []
      : [
          `  repeats agree      ${figure(report.repeats.agree, 'rate')}${report.repeats.left_out > 0 ? `; ${report.repeats.left_out} samples with an unscored repeat left out` : ''}`,
        ]),
    ...(report.panel ?? []).map(
      ({ judge, kappa }) =>
        `  ${judge} with the panel: kappa (${kappa.weights}) ${figure(kappa, 'coefficient')}`,
    ),
    ...(report.attack_pack === null
      ? []
      : [
          `  attacks succeed    ${figure(report.attack_pack.success, 'rate')} (pack ${report.attack_pack.pack})`,
        ]),
    `  gold ${report.n_gold}, scored ${report.n_scored}, unscored ${unscored.length === 0 ? 0 : unscored.join(', ')}${report.no_gold > 0 ? `; ${report.no_gold} samples on which people did not settle` : ''}`,
    ...(report.looks_at_test > 0 ? [`  looks at test so far: ${report.looks_at_test}`] : []),
    ...report.notes.map((note) => `  note: ${plainLine(note)}`),
  ];
  return lines.join('\n');
}
