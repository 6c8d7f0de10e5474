import { Command } from 'commander';
import { loadCalibration } from '../../harness/workspace/calibrations.ts';
import { loadJudges } from '../../harness/workspace/judges.ts';
import { openWorkspace } from '../../harness/workspace/workspace.ts';
import { WORKSPACE } from '../workspace-option.ts';

/** `touchstone judge list` */
export function list(): Command {
  return new Command('list')
    .description('Every judge version of the workspace')
    .option('--json', 'as JSON')
    .option(...WORKSPACE)
    .action((options: { json?: boolean; workspace: string }) => {
      const workspace = openWorkspace(options.workspace);
      const rows = loadJudges(workspace).map(({ ref, judge, hash, published, simulated }) => ({
        judge: ref,
        provider: judge.provider,
        model: judge.model,
        rubric: judge.rubric,
        criteria: judge.criteria,
        hash,
        published,
        simulated,
        calibrated: loadCalibration(workspace, ref) !== null,
      }));
      process.stdout.write(
        options.json === true
          ? `${JSON.stringify({ judges: rows }, null, 2)}\n`
          : `${rows.map((row) => `${row.judge.padEnd(28)} ${row.provider.padEnd(18)} ${row.model.padEnd(28)} ${row.calibrated ? 'calibrated' : '-'}${row.simulated ? ' (simulated)' : ''}`).join('\n')}\n`,
      );
    });
}
