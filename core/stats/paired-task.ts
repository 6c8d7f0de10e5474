import { requireSameLength } from './input.ts';
import { type MeanT, meanT } from './mean-t.ts';
import { at } from './table.ts';

/**
 * Change from version A to version B on the same tasks (several trials each): mean of per-task B − A, paired t.
 * Give the tasks' pass rates or pass^k in one order; never compare the two versions' own intervals for overlap, which
 * misses most real changes. NO_CHANGE_OBSERVED where every task is unchanged. Show signFlip's p beside it.
 */
export function pairedTask(a: readonly number[], b: readonly number[], level = 0.95): MeanT {
  requireSameLength(a, b);
  const differences = b.map((value, task) => value - at(a, task));
  const result = meanT(differences, level);
  return result.reason === 'ZERO_VARIANCE' && result.value === 0
    ? { ...result, reason: 'NO_CHANGE_OBSERVED' }
    : result;
}

export interface PairedTasks<T> {
  ids: string[];
  baseline: T[];
  candidate: T[];
  onlyBaseline: string[];
  onlyCandidate: string[];
  /** Tasks in both, as a share of tasks in either; 0 without tasks. Below .8 a gate must refuse. */
  overlap: number;
}

/** Pairs two runs by task id, in the baseline's order; tasks in one run only are listed, never imputed. */
export function pairTasks<T>(
  baseline: ReadonlyMap<string, T>,
  candidate: ReadonlyMap<string, T>,
): PairedTasks<T> {
  const paired: PairedTasks<T> = {
    ids: [],
    baseline: [],
    candidate: [],
    onlyBaseline: [],
    onlyCandidate: [...candidate.keys()].filter((id) => !baseline.has(id)),
    overlap: 0,
  };
  for (const [id, before] of baseline) {
    const after = candidate.get(id);
    if (after === undefined) paired.onlyBaseline.push(id);
    else {
      paired.ids.push(id);
      paired.baseline.push(before);
      paired.candidate.push(after);
    }
  }
  const either = baseline.size + paired.onlyCandidate.length;
  return { ...paired, overlap: either === 0 ? 0 : paired.ids.length / either };
}
