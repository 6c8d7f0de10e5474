import { Command } from 'commander';
import { Problem } from '../../core/problem.ts';
import { plainText } from '../../harness/report/plain-text.ts';
import type { RunRow } from '../../server/db/runs.ts';
import { withServices } from '../services.ts';
import { WORKSPACE } from '../workspace-option.ts';
import { totals } from './totals.ts';

/** `touchstone judge status` */
export function status(): Command {
  return new Command('status')
    .description('The runs of judges, latest first; or one run with all that it came to')
    .argument('[run]', 'its id; default: list them')
    .option('--json', 'as JSON')
    .option(...WORKSPACE)
    .action((run: string | undefined, options: { json?: boolean; workspace: string }) =>
      withServices({ workspace: options.workspace, command: 'judge status', readonly: true }, ({ store }) => {
        const write = (value: unknown, text: () => string) =>
          process.stdout.write(options.json === true ? `${JSON.stringify(value, null, 2)}\n` : text());
        if (run === undefined) {
          const runs = store.runs.list();
          write({ runs }, () => (runs.length === 0 ? 'no runs yet\n' : runs.map(line).join('')));
          return;
        }
        const [row, report] = [store.runs.get(run), store.runs.report(run)];
        if (row === null || report === null)
          throw new Problem('no_run', `there is no run ${run}`, { remedy: 'See touchstone judge status.' });
        write({ ...row, report }, () => `${line(row)}${totals(report)}`);
      }),
    );
}

function line(row: RunRow): string {
  const { id, judge, dataset, state, answered, planned, started_at, why, simulated } = row;
  const budget = row.budget_usd === null ? '' : `, budget $${row.budget_usd}`;
  const text = `${id}  ${judge} over ${dataset}${simulated ? ' (simulated)' : ''}: ${state}${why === '' ? '' : ` (${why})`}, ${answered} of ${planned} answered, since ${started_at}${budget}`;
  return `${plainText(text)}\n`;
}
