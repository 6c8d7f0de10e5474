import { goldOf } from '../core/gold.ts';
import {
  type Drawn,
  type LabelSetHeader,
  type LabelSetItem,
  labelSetHash,
  type SetLabel,
} from '../core/label-set.ts';
import { Problem } from '../core/problem.ts';
import type { Rubric } from '../core/rubric.ts';
import { clusterOf } from '../core/sample.ts';
import { dealSplits } from '../core/split.ts';
import { nextLabelSetVersion, saveLabelSet } from '../harness/workspace/label-sets.ts';
import { publishRubric } from '../harness/workspace/rubrics.ts';
import type { Services } from './services.ts';

export interface FreezeOptions {
  dataset: string;
  rubric: string;
  /** Names the label set; default the dataset's name. */
  id?: string;
  seed: number;
  /** Share of the samples that goes to dev, 0..1. */
  devShare: number;
  drawn: Drawn;
}

/**
 * Freezes what people have labelled blind under one rubric version into the next version of a label set: split into
 * dev and test by group, hashed, written to `labels/`. The rubric is published with it. Samples on which people settle
 * nothing stay in, without gold: leaving them out would lift people's agreement among themselves.
 * @throws Problem `nothing_to_freeze` where fewer than two groups have a settled label.
 */
export function freezeLabelSet(
  { workspace, store, now }: Services,
  options: FreezeOptions,
): { header: LabelSetHeader; path: string } {
  const dataset = store.samples.dataset(options.dataset);
  const { rubric, hash: rubric_hash } = publishRubric(workspace, options.rubric);
  const bySample = new Map<number, SetLabel[]>();
  for (const { seq, label } of store.labels.standing(dataset.id, options.rubric, { blind: true })) {
    const { what } = label;
    if (what.act !== 'label' && what.act !== 'not_applicable') continue;
    const list = bySample.get(seq) ?? [];
    list.push({
      criterion: label.criterion,
      annotator: label.annotator,
      value: what.act === 'label' ? what.value : null,
      unsure: what.act === 'label' && what.unsure,
      evidence: label.evidence,
      note: label.note,
      ms: label.ms,
      at: label.at,
      saw: label.saw,
    });
    bySample.set(seq, list);
  }
  const samples = store.samples.bySeq([...bySample.keys()]);
  const labelled = [...bySample].flatMap(([seq, labels]) => {
    const sample = samples.get(seq);
    const gold = settledGold(rubric, labels);
    return sample === undefined ? [] : [{ sample, labels, gold }];
  });
  const settled = labelled.filter(({ gold }) => Object.keys(gold).length > 0);
  const sizes = new Map<string, number>();
  for (const { sample } of labelled) sizes.set(clusterOf(sample), (sizes.get(clusterOf(sample)) ?? 0) + 1);
  if (new Set(settled.map(({ sample }) => clusterOf(sample))).size < 2) {
    throw new Problem(
      'nothing_to_freeze',
      `${settled.length} samples of ${options.dataset} have a settled label under ${options.rubric}`,
      {
        remedy: 'Label samples of at least two groups first; a score of them is a sensible beginning.',
        status: 409,
      },
    );
  }
  const splits = dealSplits(sizes, options.seed, options.devShare);
  const items: LabelSetItem[] = labelled.map((item) => ({
    ...item,
    split: splits.get(clusterOf(item.sample)) ?? 'test',
    p: null,
  }));
  const id = options.id ?? options.dataset;
  const unsealed = {
    label_set: id,
    version: nextLabelSetVersion(workspace, id),
    rubric: options.rubric,
    rubric_hash,
    dataset: options.dataset,
    split: {
      seed: options.seed,
      dev: items.filter((item) => item.split === 'dev').length,
      test: items.filter((item) => item.split === 'test').length,
    },
    drawn: options.drawn,
    annotators: new Set(items.flatMap((item) => item.labels.map((label) => label.annotator))).size,
  };
  const header: LabelSetHeader = {
    ...unsealed,
    created: now().toISOString(),
    hash: labelSetHash(unsealed, items),
  };
  return { header, path: saveLabelSet(workspace, { header, items }) };
}

function settledGold(rubric: Rubric, labels: readonly SetLabel[]): LabelSetItem['gold'] {
  return Object.fromEntries(
    rubric.criteria.flatMap((criterion) => {
      const gold = goldOf(
        labels.filter((label) => label.criterion === criterion.id),
        criterion,
      );
      return gold === null ? [] : [[criterion.id, gold]];
    }),
  );
}
