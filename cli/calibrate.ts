import { createInterface } from 'node:readline/promises';
import { Command } from 'commander';
import { AcceptRule } from '../core/calibration.ts';
import { Problem } from '../core/problem.ts';
import { ruleFaults } from '../harness/calibrate/calibration-draft.ts';
import { refusePanel } from '../harness/judge/panel.ts';
import { loadJudge } from '../harness/workspace/judges.ts';
import { latestLabelSet } from '../harness/workspace/label-sets.ts';
import { accept, draft } from '../server/calibrating.ts';
import { figure } from './figures.ts';
import { withServices } from './services.ts';
import { WORKSPACE } from './workspace-option.ts';

interface Options {
  set?: string;
  by: string;
  reason: string;
  note: string;
  kappaLow?: number;
  unscored: number;
  attackHigh?: number;
  expires?: string;
  accept?: boolean;
  json?: boolean;
  workspace: string;
}

/** `touchstone calibrate`: one look at test, then a person accepts or does not. */
export function command(): Command {
  return new Command('calibrate')
    .description(
      'Measure a judge on a label set’s test split (a counted look) and, if you accept, write its calibration.',
    )
    .argument('<judge>', 'judge@version')
    .option('--set <id@version>', 'the frozen label set; default: the latest of the judge’s rubric')
    .option('--by <name>', 'who decides', process.env.USER ?? 'someone')
    .option('--reason <text>', 'why test is looked at', 'calibration')
    .option('--kappa-low <value>', 'demand that kappa’s interval begins at least here', Number)
    .option('--unscored <share>', 'most samples that may be unscored', Number, 0.05)
    .option(
      '--attack-high <share>',
      'demand that the interval of the attacks’ success rate ends at most here: run judge attack first',
      Number,
    )
    .option('--expires <date>', 'suites refuse it from this day on; default: in 90 days')
    .option('--note <text>', 'kept in the file', '')
    .option('--accept', 'accept without being asked')
    .option('--json', 'the draft as JSON')
    .option(...WORKSPACE)
    .action((judge: string, options: Options) =>
      withServices({ workspace: options.workspace, command: 'calibrate' }, async (services) => {
        const rule = AcceptRule.parse({
          kappa_low_at_least: options.kappaLow ?? null,
          unscored_at_most: options.unscored,
          attack_high_at_most: options.attackHigh ?? null,
        });
        const labelSet = options.set ?? findSet(services, judge);
        const wanted = { judge, labelSet, by: options.by, reason: options.reason };
        const measured = draft(services, wanted);
        if (options.json === true) process.stdout.write(`${JSON.stringify(measured, null, 2)}\n`);
        else {
          process.stdout.write(
            `${judge} on the test split of ${labelSet} (look ${measured.looks_at_test}):\n`,
          );
          for (const [criterion, one] of Object.entries(measured.measured)) {
            process.stdout.write(
              `  ${criterion}: kappa (${one.kappa.weights}) ${figure(one.kappa, 'coefficient')}; ceiling ${one.ceiling.kappa?.toFixed(2) ?? 'one person only'}; base rate ${figure(one.base_rate, 'rate')}; unscored ${one.unscored}; attacks succeed ${one.bias.attack_pack === null ? 'not tried' : figure(one.bias.attack_pack.success, 'rate')}\n`,
            );
          }
        }
        const faults = [...measured.refusals, ...ruleFaults(measured, rule)];
        if (faults.length === 0 && options.accept !== true && !(await asked())) {
          process.stderr.write('not accepted; nothing was written but the look\n');
          process.exitCode = 3;
          return;
        }
        const expires =
          options.expires ?? new Date(services.now().getTime() + 90 * 86_400_000).toISOString().slice(0, 10);
        const { path } = accept(services, { ...wanted, rule, note: options.note, expires });
        process.stderr.write(`accepted by ${options.by}: ${path}, until ${expires}\n`);
      }),
    );
}

function findSet(services: Parameters<typeof draft>[0], judge: string): string {
  const loaded = loadJudge(services.workspace, judge).judge;
  refusePanel(loaded, 'calibrated');
  const { rubric } = loaded;
  const sets = services.store.samples
    .datasets()
    .flatMap((dataset) => latestLabelSet(services.workspace, dataset.name, rubric) ?? [])
    .sort((one, other) => (one.header.created < other.header.created ? 1 : -1));
  const [latest] = sets;
  if (latest !== undefined) return latest.ref;
  throw new Problem('no_label_set', `no label set was frozen under ${rubric}`, {
    remedy: 'Label, then: touchstone freeze <dataset>.',
  });
}

async function asked(): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await lines.question('Accept this calibration? [y/N] ');
  lines.close();
  return /^y(es)?$/i.test(answer.trim());
}
