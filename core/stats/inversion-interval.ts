import { type BootstrapOptions, type BootstrapResult, resample } from './bootstrap.ts';
import { confusionInversion, judgeGivenHuman } from './confusion-inversion.ts';
import { requireTable, type Table } from './contingency.ts';
import { countDrawer } from './draw-counts.ts';
import { requireCount, requireSameLength } from './input.ts';

/**
 * Mean human score behind a judge's verdicts (confusionInversion) with a percentile interval that resamples the
 * labelled items and the judged items together. `table` has human rows and judge columns; `judged` counts verdicts.
 * Replicates whose levels cannot be told apart are dropped: many of them, and there is no interval.
 */
export function inversionInterval(
  table: Table,
  judged: readonly number[],
  scores: readonly number[],
  options: Omit<BootstrapOptions, 'method'>,
): BootstrapResult {
  requireTable(table);
  requireSameLength(table, judged);
  for (const count of [...table.flat(), ...judged]) requireCount(count, 'a count');
  const q = table.length;
  const meanScore = (cells: readonly number[], verdicts: readonly number[]) => {
    const rows = Array.from({ length: q }, (_, row) => cells.slice(row * q, (row + 1) * q));
    const given = judgeGivenHuman(rows);
    const total = verdicts.reduce((sum, count) => sum + count, 0);
    if (given === null || total === 0) return null;
    const shares = verdicts.map((count) => count / total);
    return confusionInversion(given, shares, { scores, maxSteps: 5000 }).meanScore;
  };
  const cells = table.flat();
  const labels = countDrawer(cells);
  const verdicts = countDrawer(judged);
  const n = cells.reduce((sum, count) => sum + count, 0);
  return resample(n, meanScore(cells, judged), { ...options, method: 'percentile' }, labels.by, {
    replicate: (random) => meanScore(labels.draw(random), verdicts.draw(random)),
    jackknife: () => [],
  });
}
