import type { LabelAct } from '../core/label.ts';
import type { Rubric } from '../core/rubric.ts';
import type { PairOrder } from '../core/verdict.ts';
import { nativeDigest } from '../harness/digest.ts';
import type { Store } from './db/store.ts';

export type QueueState = 'todo' | 'partial' | 'done' | 'skipped' | 'flagged';

/** The samples of a dataset in one person's own order, and where that person stands with each. */
export function labelQueue(
  store: Store,
  dataset: number,
  rubric: Rubric,
  ref: string,
  annotator: string,
): { sample: string; state: QueueState }[] {
  const acts = new Map<string, Map<string, LabelAct>>();
  for (const { label } of store.labels.standing(dataset, ref, { annotator })) {
    const of = acts.get(label.sample) ?? new Map<string, LabelAct>();
    of.set(label.criterion, label.what);
    acts.set(label.sample, of);
  }
  return store.samples
    .ids(dataset)
    .map(({ id }) => ({ id, place: nativeDigest(`order\n${annotator}\n${id}`) }))
    .sort((one, other) => (one.place < other.place ? -1 : 1))
    .map(({ id }) => ({ sample: id, state: stateOf(acts.get(id), rubric) }));
}

function stateOf(acts: Map<string, LabelAct> | undefined, rubric: Rubric): QueueState {
  if (acts === undefined) return 'todo';
  const all = [...acts.values()];
  if (all.some((what) => what.act === 'flag')) return 'flagged';
  const answered = rubric.criteria.filter(({ id }) =>
    ['label', 'not_applicable'].includes(acts.get(id)?.act ?? ''),
  ).length;
  if (answered === rubric.criteria.length) return 'done';
  if (all.some((what) => what.act === 'skip')) return 'skipped';
  return answered > 0 ? 'partial' : 'todo';
}

/** Which output of a pair stands left: the same each time for one person, and even over people and samples. */
export function sideOf(annotator: string, sample: string): PairOrder {
  return Number.parseInt(nativeDigest(`side\n${annotator}\n${sample}`).slice(0, 2), 16) < 128 ? 'ab' : 'ba';
}
