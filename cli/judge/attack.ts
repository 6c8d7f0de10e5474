import { Command, InvalidArgumentError } from 'commander';
import type { AttackFigures, AttackReport } from '../../core/attack.ts';
import { secureRandom } from '../../harness/judge/nonce.ts';
import type { RunEvent } from '../../harness/judge/run.ts';
import { plainLine } from '../../harness/report/plain-text.ts';
import { attack as attackJudge } from '../../server/attacking.ts';
import type { Services } from '../../server/services.ts';
import { figure } from '../figures.ts';
import { ProgressLine } from '../progress.ts';
import { withServices } from '../services.ts';
import { WORKSPACE } from '../workspace-option.ts';
import { chosenDataset } from './chosen-dataset.ts';
import { positive } from './positive.ts';

interface Options {
  dataset?: string;
  samples: number;
  seed: number;
  concurrency?: number;
  atMost?: number;
  json?: boolean;
  workspace: string;
}

/** `touchstone judge attack` */
export function attack(): Command {
  return new Command('attack')
    .description(
      'Put the attack pack to a judge: hostile answers built on real samples, none of which earns a good value. Kept apart from the judge’s verdicts; shown with its agreement and written into its calibration.',
    )
    .argument('<judge>', 'judge@version')
    .option('--dataset <name>', 'default: the only one, or defaults.dataset of touchstone.yaml')
    .option('--samples <n>', 'real samples that the attacks are built on', positive, 10)
    .option('--seed <number>', 'seed of the choice of samples', Number, 7)
    .option('--concurrency <n>', 'calls at once', positive)
    .option(
      '--at-most <share>',
      'exit 1 where more attacks succeed than this share of 0 to 1, 3 where the interval leaves it open',
      share,
    )
    .option('--json', 'the whole report as JSON')
    .option(...WORKSPACE)
    .action((judge: string, options: Options) =>
      withServices({ workspace: options.workspace, command: 'judge attack' }, async (services) => {
        const dataset = chosenDataset(services, options.dataset);
        const report = await carryOut(services, judge, dataset, options);
        if (report === null) {
          process.stderr.write('stopped; the same command goes on where it stood\n');
          process.exitCode = 130;
          return;
        }
        process.stdout.write(
          options.json === true ? `${JSON.stringify(report, null, 2)}\n` : `${reportText(report)}\n`,
        );
        if (options.atMost !== undefined) process.exitCode = exitCode(report, options.atMost);
      }),
    );
}

async function carryOut(
  { workspace, store, now, newToken }: Services,
  judge: string,
  dataset: string,
  { samples, seed, concurrency }: Options,
): Promise<AttackReport | null> {
  const line = new ProgressLine();
  const [draining, cutting] = [new AbortController(), new AbortController()];
  const onSignal = () => {
    process.stderr.write('stopping: calls in flight are heard out; once more to leave them\n');
    if (draining.signal.aborted) cutting.abort();
    draining.abort();
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  try {
    return await attackJudge(
      { workspace, store, env: process.env, now, newId: () => `attack_${newToken()}`, random: secureRandom },
      {
        judge,
        dataset,
        seed,
        count: samples,
        ...(concurrency !== undefined && { concurrency }),
        signal: draining.signal,
        cutoff: cutting.signal,
        onEvent: (stage, event) => draw(line, stage, event),
      },
    );
  } finally {
    line.end();
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
}

function draw(line: ProgressLine, stage: 'twins' | 'attacks', event: RunEvent): void {
  if (event.type !== 'progress') return;
  const what = stage === 'twins' ? 'the answers as they are' : 'attacks';
  line.show(`${what}: ${event.done} of ${event.total} calls`);
}

function share(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= 1)) throw new InvalidArgumentError('a share of 0 to 1');
  return value;
}

/** 0 where the whole interval of every criterion lies within the share, 1 where one lies above it, else 3. */
function exitCode({ criteria }: AttackReport, most: number): number {
  const intervals = Object.values(criteria).map(({ success }) => success.ci);
  if (intervals.some((ci) => ci !== null && ci.low > most)) return 1;
  return intervals.every((ci) => ci !== null && ci.high <= most) ? 0 : 3;
}

function reportText({ judge, simulated, dataset, criteria, left_out, successes }: AttackReport): string {
  const parts = Object.entries(criteria).map(([criterion, figures]) => {
    const own = successes.filter((one) => one.criterion === criterion);
    const fell = [...new Set(own.map(({ attack: id }) => id))].map((id) => {
      const hits = own.filter((one) => one.attack === id).length;
      return `${id} (${hits}×)`;
    });
    return [
      `${judge} on ${criterion}${simulated ? ' (simulated)' : ''}: ${figures.attacks} attacks of pack ${figures.pack} on ${figures.samples} samples of ${dataset}`,
      ...figureLines(figures),
      ...(fell.length === 0 ? [] : [`  fell for  ${fell.join(', ')}`]),
      ...figures.notes.map((note) => `  note: ${plainLine(note)}`),
    ].join('\n');
  });
  const without = left_out.map(({ criterion, why }) => `${judge} on ${criterion}: not attacked, ${why}`);
  return [...parts, ...without].join('\n\n');
}

function figureLines(figures: AttackFigures): string[] {
  const unscored = Object.entries(figures.unscored).map(([reason, n]) => `${n} ${reason}`);
  return [
    `  succeeded       ${figure(figures.success, 'rate')}`,
    `  in place of an answer  ${figure(figures.replaced, 'rate')}`,
    `  riding on an answer    ${figure(figures.carried, 'rate')}`,
    ...(figures.passed === null ? [] : [`  brought a pass         ${figure(figures.passed, 'rate')}`]),
    `  harmless additions     ${figure(figures.control, 'rate')}`,
    ...figures.by_kind.map(({ kind, success }) => `    ${kind.padEnd(13)} ${figure(success, 'rate')}`),
    `  unscored ${unscored.join(', ') || 0}; not made: ${figures.no_room} had the best value already, ${figures.no_twin} have no value without the attack`,
    ...(figures.stopped.length === 0
      ? []
      : [`  stopped before the judge was asked: ${figures.stopped.join(', ')}`]),
  ];
}
