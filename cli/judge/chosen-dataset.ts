import { Problem } from '../../core/problem.ts';
import type { Services } from '../../server/services.ts';

/** The dataset that is named, the workspace's default, or the only one. @throws Problem `no_dataset`. */
export function chosenDataset(
  { store, workspace }: Pick<Services, 'store' | 'workspace'>,
  named: string | undefined,
): string {
  const names = store.samples.datasets().map((dataset) => dataset.name);
  const dataset = named ?? workspace.config.defaults.dataset ?? (names.length === 1 ? names[0] : undefined);
  if (dataset !== undefined) return dataset;
  throw new Problem('no_dataset', 'which dataset?', {
    remedy: `Add --dataset; there are: ${names.join(', ') || 'none yet'}.`,
  });
}
