import { createReadStream, existsSync } from 'node:fs';
import { Problem } from '../core/problem.ts';
import { nativeDigest } from '../harness/digest.ts';
import { parseMapping } from '../harness/formats/in/mapping.ts';
import { formatOfName } from '../harness/formats/in/records.ts';
import { loadRubric } from '../harness/workspace/rubrics.ts';
import { confined } from '../harness/workspace/workspace.ts';
import { type ImportReport, importFile } from './import.ts';
import type { Services } from './services.ts';

/**
 * Imports the datasets that touchstone.yaml names and the database does not have yet.
 * @throws Problem `no_file` where a named file is missing.
 */
export async function importConfigured({ workspace, store, now }: Services): Promise<ImportReport[]> {
  const known = new Set(store.samples.datasets().map((dataset) => dataset.name));
  const reports: ImportReport[] = [];
  for (const [dataset, { file, rubric: ref }] of Object.entries(workspace.config.datasets)) {
    if (known.has(dataset)) continue;
    const path = confined(workspace, file);
    const format = formatOfName(file);
    if (!existsSync(path) || format === null) {
      throw new Problem(
        'no_file',
        `touchstone.yaml: datasets.${dataset}.file: ${file} is not there, or no .jsonl, .json or .csv`,
        {
          remedy: 'Correct the path, or take the entry out.',
          at: [{ file: 'touchstone.yaml', line: 1, column: 1, path: `datasets.${dataset}.file` }],
        },
      );
    }
    const rubric = ref === undefined ? null : loadRubric(workspace, ref).rubric;
    const kind =
      rubric?.criteria.some((criterion) => criterion.scale === 'pairwise') === true ? 'pair' : 'single';
    reports.push(
      await importFile(store, createReadStream(path), {
        dataset,
        format,
        kind,
        mapping: parseMapping([]),
        criterion: null,
        rubric,
        digest: nativeDigest,
        now: now().toISOString(),
      }),
    );
  }
  return reports;
}
