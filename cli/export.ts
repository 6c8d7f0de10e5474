import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { calibrationFaults } from '../core/calibration.ts';
import { Problem } from '../core/problem.ts';
import { refusePanel } from '../harness/judge/panel.ts';
import { calibrationPath, loadCalibration } from '../harness/workspace/calibrations.ts';
import { loadJudge } from '../harness/workspace/judges.ts';
import { openWorkspace } from '../harness/workspace/workspace.ts';
import { writeFileWhole } from '../harness/workspace/write-file.ts';
import { WORKSPACE } from './workspace-option.ts';

/** `touchstone export`: the calibration file of a judge, checked, and how a suite uses it. */
export function command(): Command {
  return new Command('export')
    .description(
      'Check a judge’s calibration and show how a suite uses it; --out copies the self-contained file.',
    )
    .argument('<judge>', 'judge@version')
    .option('--out <file>', 'copy the file here')
    .option(...WORKSPACE)
    .action((ref: string, options: { out?: string; workspace: string }) => {
      const workspace = openWorkspace(options.workspace);
      const loaded = loadJudge(workspace, ref);
      refusePanel(loaded.judge, 'exported');
      const calibration = loadCalibration(workspace, ref);
      if (calibration === null) {
        throw new Problem('no_calibration', `${ref} has no accepted calibration`, {
          remedy: `Make one: touchstone calibrate ${ref}.`,
          exitCode: 3,
        });
      }
      const faults = calibrationFaults(calibration, loaded.hash, new Date().toISOString().slice(0, 10), true);
      if (faults.length > 0) {
        throw new Problem('calibration_refused', `the calibration of ${ref} does not hold`, {
          remedy: `Calibrate again: touchstone calibrate ${ref}.`,
          details: faults,
          exitCode: 3,
        });
      }
      const path = calibrationPath(ref);
      if (options.out !== undefined)
        writeFileWhole(options.out, readFileSync(join(workspace.root, path), 'utf8'));
      const simulated = calibration.simulated ? ', allow_simulated: true' : '';
      process.stdout.write(
        `${path}\n  ${calibration.hash}, valid until ${calibration.expires}${calibration.simulated ? ', measured on SIMULATED answers' : ''}\n\nIn suites/<id>/suite.yaml:\n\njudges:\n  - {judge: ${ref}, on: reply, required: true${simulated}}\n`,
      );
    });
}
