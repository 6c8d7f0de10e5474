import { Command } from 'commander';
import { list } from './judge/list.ts';
import { record } from './judge/record.ts';
import { run } from './judge/run.ts';

/** `touchstone judge`: list judges, run one, record its replies. */
export function command(): Command {
  return new Command('judge')
    .description('List judge versions; run one over a dataset; record its replies.')
    .addCommand(list())
    .addCommand(run())
    .addCommand(record());
}
