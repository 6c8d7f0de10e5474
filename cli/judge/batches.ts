import { Command } from 'commander';
import type { BatchRow } from '../../server/db/batches.ts';
import { withServices } from '../services.ts';
import { WORKSPACE } from '../workspace-option.ts';

/** `touchstone judge batches` */
export function batches(): Command {
  return new Command('batches')
    .description('List the batches that runs handed in, latest first, and how each stands.')
    .option('--json', 'as JSON')
    .option(...WORKSPACE)
    .action((options: { json?: boolean; workspace: string }) =>
      withServices(
        { workspace: options.workspace, command: 'judge batches', readonly: true },
        ({ store }) => {
          const rows = store.batches.list();
          if (options.json === true) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
          else process.stdout.write(rows.length === 0 ? 'no batches\n' : rows.map(show).join(''));
        },
      ),
    );
}

function show({
  remote,
  marker,
  judge,
  dataset,
  state,
  settled,
  requests,
  at,
  why,
  strays,
}: BatchRow): string {
  const notes = [why, strays > 0 ? `${strays} results put aside` : ''].filter((note) => note !== '');
  return `${at}  ${state}  ${remote ?? `(no id) ${marker}`}  ${judge} over ${dataset}: ${settled} of ${requests} settled${notes.length > 0 ? `; ${notes.join('; ')}` : ''}\n`;
}
