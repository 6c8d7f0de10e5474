import { Command, Option } from 'commander';
import { Drawn } from '../core/label-set.ts';
import { Problem } from '../core/problem.ts';
import { versionRef } from '../core/rubric.ts';
import { freezeLabelSet } from '../server/freeze.ts';
import { withServices } from './services.ts';
import { WORKSPACE } from './workspace-option.ts';

interface Options {
  rubric?: string;
  id?: string;
  seed: number;
  dev: number;
  drawn: Drawn;
  workspace: string;
}

/** `touchstone freeze`: the labels of a dataset as the next version of a label set. */
export function command(): Command {
  return new Command('freeze')
    .description(
      'Freeze what people labelled blind: split by group into dev and test, hashed, written to labels/.',
    )
    .argument('<dataset>', 'the dataset')
    .option('--rubric <id@version>', 'default: the one that the dataset was labelled under')
    .option('--id <name>', 'the label set’s name; default: the dataset’s')
    .option('--seed <number>', 'seed of the split', Number, 7)
    .option('--dev <share>', 'share of the samples that goes to dev', Number, 0.4)
    .addOption(
      new Option('--drawn <how>', 'how the labelled samples were chosen')
        .choices(Drawn.options)
        .default('unknown'),
    )
    .option(...WORKSPACE)
    .action((dataset: string, options: Options) =>
      withServices({ workspace: options.workspace, command: 'freeze' }, (services) => {
        const { store } = services;
        const rubric = options.rubric ?? store.samples.dataset(dataset).rubric;
        if (rubric === null)
          throw new Problem('no_rubric', `${dataset} names no rubric`, {
            remedy: 'Add --rubric id@version.',
          });
        if (!(options.dev > 0 && options.dev < 1))
          throw new Problem('bad_dev', '--dev is a share between 0 and 1', { remedy: 'Such as --dev 0.4.' });
        const { header, path } = freezeLabelSet(services, {
          dataset,
          rubric,
          seed: options.seed,
          devShare: options.dev,
          drawn: options.drawn,
          ...(options.id !== undefined && { id: options.id }),
        });
        const { dev, test } = header.split;
        process.stdout.write(
          `${versionRef(header.label_set, header.version)}: ${dev} dev, ${test} test, ${header.annotators} annotators\n  ${path}\n  ${header.hash}\n`,
        );
      }),
    );
}
