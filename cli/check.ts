import { Command } from 'commander';
import type { Judge } from '../core/judge.ts';
import { Problem, problemText } from '../core/problem.ts';
import { lintRubric } from '../core/rubric-lint.ts';
import { panelWarnings } from '../harness/judge/panel.ts';
import { priceWarnings } from '../harness/provider/price-age.ts';
import { plainText } from '../harness/report/plain-text.ts';
import { loadCalibration } from '../harness/workspace/calibrations.ts';
import { loadJudge } from '../harness/workspace/judges.ts';
import { listLabelSets, loadLabelSet } from '../harness/workspace/label-sets.ts';
import { loadRubric } from '../harness/workspace/rubrics.ts';
import { listSuites } from '../harness/workspace/suites.ts';
import { listVersions } from '../harness/workspace/versions.ts';
import { openWorkspace } from '../harness/workspace/workspace.ts';
import { WORKSPACE } from './workspace-option.ts';

/** `touchstone check`: reads every file of the workspace and tells every fault, not only the first. */
export function command(): Command {
  return new Command('check')
    .description(
      'Check every file of the workspace: settings, rubrics, judges, calibrations, label sets, suites.',
    )
    .option('--json', 'as JSON')
    .option(...WORKSPACE)
    .action(async (options: { json?: boolean; workspace: string }) => {
      const workspace = openWorkspace(options.workspace);
      const problems: Problem[] = [];
      let files = 1;
      const checking = async (read: () => unknown) => {
        files++;
        try {
          await read();
        } catch (error) {
          if (!(error instanceof Problem)) throw error;
          problems.push(error);
        }
      };
      const warnings: string[] = [];
      for (const { ref } of listVersions(workspace, 'rubrics')) {
        await checking(() => {
          const { rubric, file } = loadRubric(workspace, ref);
          for (const finding of lintRubric(rubric))
            warnings.push(`${file} ${finding.path}: ${finding.message} [${finding.rule}]`);
        });
      }
      const judges: Judge[] = [];
      for (const { ref } of listVersions(workspace, 'judges')) {
        await checking(() => {
          const { judge, members } = loadJudge(workspace, ref);
          judges.push(judge);
          const seated = members.map((member) => member.judge);
          warnings.push(...panelWarnings(judge, seated));
        });
        await checking(() => loadCalibration(workspace, ref));
      }
      const today = new Date().toISOString().slice(0, 10);
      warnings.push(...priceWarnings(judges, workspace.config.prices, today));
      for (const { ref } of listLabelSets(workspace)) await checking(() => loadLabelSet(workspace, ref));
      for (const id of listSuites(workspace)) {
        const { openSuite } = await import('../harness/suite/open-suite.ts');
        await checking(() => openSuite(workspace, id));
      }
      if (options.json === true) {
        process.stdout.write(
          `${JSON.stringify({ problems: problems.map((problem) => problem.report()), warnings }, null, 2)}\n`,
        );
      } else {
        for (const problem of problems) process.stdout.write(`${plainText(problemText(problem.report()))}\n`);
        for (const warning of warnings) process.stdout.write(`warning: ${plainText(warning)}\n`);
        process.stdout.write(
          `${problems.length === 0 ? `all ${files} files are in order` : `${problems.length} of ${files} files have faults`}, ${warnings.length} warnings\n`,
        );
      }
      if (problems.length > 0) process.exitCode = 2;
    });
}
