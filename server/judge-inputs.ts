import type { BaselineFit } from '../core/judge.ts';
import { Problem } from '../core/problem.ts';
import { fitJudge } from '../harness/judge/baseline.ts';
import type { FewShot } from '../harness/judge/few-shot.ts';
import type { LoadedJudge } from '../harness/workspace/judges.ts';
import { latestLabelSet } from '../harness/workspace/label-sets.ts';
import type { Workspace } from '../harness/workspace/workspace.ts';
import type { Store } from './db/store.ts';

/** What a baseline learns from the dev split of the latest label set; null for any other judge. */
export function baselineFit(
  { workspace, store }: { workspace: Workspace; store: Store },
  loaded: LoadedJudge,
  dataset: string,
): BaselineFit | null {
  if (loaded.judge.provider !== 'baseline') return null;
  const set = latestLabelSet(workspace, store.samples.dataset(dataset).name, loaded.judge.rubric);
  if (set === null) {
    throw new Problem(
      'no_label_set',
      `${loaded.ref} is a baseline: it learns from the dev split, and ${dataset} has no frozen label set under ${loaded.judge.rubric}`,
      {
        remedy: 'Label some samples, then freeze them: the Agreement page, or touchstone freeze.',
        status: 409,
      },
    );
  }
  return fitJudge(loaded, set);
}

/** The few-shots of a judge, with the values that people's labels give them. */
export function fewShots(store: Store, { rubric, judge }: LoadedJudge): FewShot[] {
  const shots = new Map<string, FewShot>();
  for (const criterion of rubric.criteria.filter(({ id }) => judge.criteria.includes(id))) {
    for (const id of criterion.examples) {
      const found = store.samples.find(id);
      if (found === null) continue;
      const shot = shots.get(id) ?? { sample: found.sample, values: {} };
      const label = store.labels
        .standing(found.dataset, judge.rubric, { criterion: criterion.id })
        .find(({ seq }) => seq === found.seq);
      if (label?.label.what.act === 'label') shot.values[criterion.id] = label.label.what.value;
      shots.set(id, shot);
    }
  }
  return [...shots.values()];
}

/** The first samples of a dataset, in the order in which runs take them. */
export function* samplesOf(store: Store, dataset: number, total: number) {
  let taken = 0;
  for (const { sample } of store.samples.all(dataset)) {
    if (taken++ >= total) return;
    yield sample;
  }
}
