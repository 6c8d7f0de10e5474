import { Command } from 'commander';
import { recordJudge } from '../../server/record-judge.ts';
import { withServices } from '../services.ts';
import { WORKSPACE } from '../workspace-option.ts';
import { chosenDataset } from './chosen-dataset.ts';

interface RecordOptions {
  dataset?: string;
  name?: string;
  json?: boolean;
  workspace: string;
}

/** `touchstone judge record` */
export function record(): Command {
  return new Command('record')
    .description(
      'Write the stored replies of a judge to recordings/<name>.jsonl, without any key. A judge with provider: recorded and endpoint: <name> answers from there, so that CI needs neither key nor network.',
    )
    .argument('<judge>', 'judge@version')
    .option('--dataset <name>', 'default: the only one, or defaults.dataset of touchstone.yaml')
    .option('--name <name>', "the recording's name; default: the judge's id")
    .option('--json', 'as JSON')
    .option(...WORKSPACE)
    .action((judge: string, options: RecordOptions) =>
      withServices({ workspace: options.workspace, command: 'judge record', readonly: true }, (services) => {
        const dataset = chosenDataset(services, options.dataset);
        const written = recordJudge(services, { judge, dataset, name: options.name }, process.env);
        if (options.json === true) {
          process.stdout.write(`${JSON.stringify(written, null, 2)}\n`);
          return;
        }
        const { file, replies, answered, unanswered, cut, doubled } = written;
        const left = [
          unanswered > 0 && `${unanswered} not answered`,
          cut > 0 && `${cut} too long to have been kept whole`,
          doubled > 0 && `${doubled} that asked what another had asked`,
        ].filter((part) => part !== false);
        process.stdout.write(
          `${file}: ${replies} replies of ${answered - cut - doubled} calls of ${judge} over ${dataset}\n${left.length > 0 ? `  left out: ${left.join(', ')} calls\n` : ''}`,
        );
      }),
    );
}
