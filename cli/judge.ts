import { Command } from 'commander';
import { importJudge } from './judge/import.ts';
import { list } from './judge/list.ts';
import { record } from './judge/record.ts';
import { run } from './judge/run.ts';

/** `touchstone judge`: list judges, run one, record its replies, import another tool's. */
export function command(): Command {
  return new Command('judge')
    .description(
      'List judge versions; run one over a dataset; record its replies; make drafts of other tools’ judges.',
    )
    .addCommand(list())
    .addCommand(run())
    .addCommand(record())
    .addCommand(importJudge());
}
