import { Command, InvalidArgumentError } from 'commander';
import type { RunEvent, RunTally } from '../../harness/judge/run.ts';
import { ProgressLine } from '../progress.ts';
import { withServices } from '../services.ts';
import { WORKSPACE } from '../workspace-option.ts';
import { chosenDataset } from './chosen-dataset.ts';
import { positive } from './positive.ts';

interface RunOptions {
  dataset?: string;
  concurrency?: number;
  limit?: number;
  budget?: number;
  json?: boolean;
  workspace: string;
}

/** `touchstone judge run` */
export function run(): Command {
  return new Command('run')
    .description(
      'Run a judge over a dataset. Verdicts are stored as they arrive; run again to resume, answered calls are not sent twice.',
    )
    .argument('<judge>', 'judge@version')
    .option('--dataset <name>', 'default: the only one, or defaults.dataset of touchstone.yaml')
    .option('--concurrency <n>', 'calls at once', positive)
    .option('--limit <n>', 'only the first n samples', positive)
    .option(
      '--budget <usd>',
      'US dollars that the run may cost at most; it pauses before it would cost more',
      dollars,
    )
    .option('--json', 'events as JSON lines on stdout')
    .option(...WORKSPACE)
    .action((judge: string, options: RunOptions) =>
      withServices(
        { workspace: options.workspace, command: 'judge run' },
        async ({ store, workspace, runs }) => {
          const dataset = chosenDataset({ store, workspace }, options.dataset);
          const line = new ProgressLine();
          const active = await runs.start({
            judge,
            dataset,
            concurrency: options.concurrency,
            limit: options.limit,
            budget_usd: options.budget,
            onEvent: (event) => draw(event, line, options.json === true),
          });
          const onSignal = () => {
            process.stderr.write('stopping: calls in flight are heard out; once more to leave them\n');
            active.stop();
          };
          process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
          const tally = await active.ended.finally(() => {
            line.end();
            process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
          });
          const ended = store.runs.get(active.id);
          if (options.json !== true) process.stdout.write(summary(judge, dataset, tally));
          if (ended?.state === 'done' && ended.why !== '') process.stderr.write(`${ended.why}\n`);
          if (ended?.state === 'stopped') {
            process.stderr.write(`stopped; go on with: touchstone judge run ${judge} --dataset ${dataset}\n`);
            process.exitCode = 130;
          }
        },
      ),
    );
}

function dollars(text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0) throw new InvalidArgumentError('US dollars, above 0');
  return value;
}

function draw(event: RunEvent, line: ProgressLine, json: boolean): void {
  if (json) process.stdout.write(`${JSON.stringify(event)}\n`);
  else if (event.type === 'progress') {
    const rate = event.per_minute === null ? '' : `, ${event.per_minute.toFixed(0)} a minute`;
    line.show(
      `${event.done} of ${event.total} calls, ${event.scored} scored, ${unscoredOf(event)} unscored${rate}${money(event)}`,
    );
  }
}

function summary(judge: string, dataset: string, tally: RunTally): string {
  const reasons = Object.entries(tally.unscored).map(([reason, n]) => `${n} ${reason}`);
  return [
    `${judge} over ${dataset}: ${tally.done} of ${tally.total} calls, ${tally.reused} answered before${tally.resent > 0 ? `, ${tally.resent} sent again (never heard of before)` : ''}`,
    `  ${tally.scored} scored, ${unscoredOf(tally)} unscored${reasons.length > 0 ? ` (${reasons.join(', ')})` : ''}${money(tally)}`,
    ...(tally.misplaced > 0 ? [`  ${tally.misplaced} quotes stand elsewhere than the judge said`] : []),
    '',
  ].join('\n');
}

function unscoredOf(tally: RunTally): number {
  return Object.values(tally.unscored).reduce((sum, n) => sum + n, 0);
}

function money(tally: RunTally): string {
  const unknown = tally.unpriced > 0 ? ` (${tally.unpriced} calls have no known price)` : '';
  return tally.cost_usd > 0 || unknown !== '' ? `, $${tally.cost_usd.toFixed(4)}${unknown}` : '';
}
