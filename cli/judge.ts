import { Command } from 'commander';
import { list } from './judge/list.ts';
import { run } from './judge/run.ts';

/** `touchstone judge`: list judges, run one. */
export function command(): Command {
  return new Command('judge')
    .description('List judge versions; run one over a dataset.')
    .addCommand(list())
    .addCommand(run());
}
