import { Command, InvalidArgumentError, Option } from 'commander';
import { OnUnknown } from '../../core/run.ts';
import type { BatchRow } from '../../server/db/batches.ts';
import type { StartOptions } from '../../server/run-job.ts';
import { ProgressLine } from '../progress.ts';
import { withServices } from '../services.ts';
import { WORKSPACE } from '../workspace-option.ts';
import { chosenDataset } from './chosen-dataset.ts';
import { planText } from './plan-text.ts';
import { positive } from './positive.ts';
import { progressText } from './progress-text.ts';
import { enoughBudget, resumeCommand } from './resume-command.ts';
import { totals } from './totals.ts';

interface RunOptions {
  dataset?: string;
  concurrency?: number;
  limit?: number;
  budget?: number;
  onUnknown?: OnUnknown;
  batch?: boolean;
  batchSize?: number;
  poll?: number;
  giveUp?: boolean;
  dryRun?: boolean;
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
    .addOption(
      new Option(
        '--on-unknown <what>',
        'calls that were sent and never heard of: send them again, or hold them as unknown (default: resend)',
      ).choices(OnUnknown.options),
    )
    .option(
      '--batch',
      "by the provider's batches: half the price, an answer within a day (openai, openai-responses, anthropic)",
    )
    .option('--batch-size <n>', 'most requests in one batch, up to 50000', positive)
    .option('--poll <seconds>', 'longest wait between two looks at a batch, default 120', positive)
    .option('--give-up', 'count batch results that can no longer be fetched as unknown, for good')
    .option('--dry-run', 'say what would be sent, take and cost, and send nothing; needs no key')
    .option('--json', 'events as JSON lines on stdout, the report last')
    .option(...WORKSPACE)
    .action((judge: string, options: RunOptions) =>
      withServices(
        {
          workspace: options.workspace,
          command: 'judge run',
          ...(options.dryRun === true && { readonly: true }),
        },
        async ({ store, workspace, runs }) => {
          const dataset = chosenDataset({ store, workspace }, options.dataset);
          if (options.dryRun === true) {
            const { concurrency, limit } = options;
            const plan = await runs.plan({ judge, dataset, concurrency, limit });
            process.stdout.write(
              options.json === true ? `${JSON.stringify(plan)}\n` : planText(judge, dataset, plan),
            );
            return;
          }
          const resume = (budget = options.budget) =>
            resumeCommand(judge, { ...options, dataset, ...(budget !== undefined && { budget }) });
          const line = new ProgressLine();
          const active = await runs.start({
            judge,
            dataset,
            concurrency: options.concurrency,
            limit: options.limit,
            budget_usd: options.budget,
            on_unknown: options.onUnknown,
            batch: batchOf(options),
            onEvent: (event) => {
              if (options.json === true) process.stdout.write(`${JSON.stringify(event)}\n`);
              else if (event.type === 'batch') line.show(event.text);
              else if (event.type === 'progress') line.show(progressText(event));
            },
          });
          let signals = 0;
          const onSignal = () => {
            process.stderr.write(signals++ > 0 ? LEAVING : options.batch ? LEFT_THERE : DRAINING);
            active.stop();
          };
          process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
          try {
            const tally = await active.ended;
            if (tally.misplaced > 0)
              process.stderr.write(`${tally.misplaced} quotes stand elsewhere than the judge said\n`);
          } finally {
            line.end();
            process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
            const [row, report] = [store.runs.get(active.id), store.runs.report(active.id)];
            if (row !== null && report !== null) {
              process.stdout.write(
                options.json === true
                  ? `${JSON.stringify({ type: 'report', run: active.id, state: row.state, ...report })}\n`
                  : `${judge} over ${dataset}: ${row.state} (${active.id})\n${totals(report)}`,
              );
              if (options.json !== true) process.stdout.write(batchLines(store.batches.list(), active.id));
              const short = row.budget_usd !== null && row.why.startsWith('the budget of this run');
              const command = resume(short ? enoughBudget(report, row.budget_usd ?? 0) : options.budget);
              if (row.state === 'done' && row.why !== '') process.stderr.write(`${row.why}\n`);
              if (row.state !== 'done') process.stderr.write(`${row.state}; go on with: ${command}\n`);
              if (row.state === 'stopped') process.exitCode = 130;
            }
          }
        },
      ),
    );
}

const DRAINING = 'stopping: calls in flight are heard out; once more to leave them\n';
const LEFT_THERE = 'stopping: batches stay with the provider; once more to leave calls in flight too\n';
const LEAVING =
  'leaving the calls in flight: they may be paid for, and are sent again when the run goes on\n';

/** How each batch of a run stands. */
function batchLines(batches: readonly BatchRow[], run: string): string {
  const own = batches.filter((batch) => batch.run === run).reverse();
  return own
    .map(({ remote, marker, state, why }) => `  batch ${remote ?? marker}: ${state}${why && `, ${why}`}\n`)
    .join('');
}

function batchOf({ batch, batchSize, poll, giveUp }: RunOptions): StartOptions['batch'] {
  if (batch !== true) return undefined;
  return {
    ...(batchSize !== undefined && { most: batchSize }),
    ...(poll !== undefined && { pollMs: poll * 1000 }),
    giveUp: giveUp === true,
  };
}

function dollars(text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0) throw new InvalidArgumentError('US dollars, above 0');
  return value;
}
