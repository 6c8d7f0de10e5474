import { Command } from 'commander';
import { attack } from './judge/attack.ts';
import { batches } from './judge/batches.ts';
import { importJudge } from './judge/import.ts';
import { list } from './judge/list.ts';
import { record } from './judge/record.ts';
import { run } from './judge/run.ts';
import { status } from './judge/status.ts';

/** `touchstone judge`: list judges, run one, record its replies, attack one, import another tool's. */
export function command(): Command {
  return new Command('judge')
    .description(
      'List judge versions; run one over a dataset; record its replies; attack one; make drafts of other tools’ judges.',
    )
    .addCommand(list())
    .addCommand(run())
    .addCommand(status())
    .addCommand(batches())
    .addCommand(record())
    .addCommand(attack())
    .addCommand(importJudge());
}
