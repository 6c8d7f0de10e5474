import { goldOf } from '../core/gold.ts';
import type { LabelSet } from '../core/label-set.ts';
import type { Criterion } from '../core/rubric.ts';
import { clusterOf, type Sample } from '../core/sample.ts';
import type { PairOrder } from '../core/verdict.ts';
import type { RatedItem } from '../harness/calibrate/rated-item.ts';
import { combineVotes } from '../harness/judge/combine.ts';
import type { Store } from './db/store.ts';
import type { StandingVerdict } from './db/verdicts.ts';

export interface RatedQuery {
  dataset: number;
  rubric: string;
  criterion: Criterion;
  judge: number | null;
  /** Metadata that a sample must have, by name. */
  where: Record<string, string>;
}

/** What people (blind) and a judge said in a dataset, sample by sample; samples that nobody labelled are left out. */
export function ratedItems(
  store: Store,
  { dataset, rubric, criterion, judge, where }: RatedQuery,
): RatedItem[] {
  const labels = store.labels.standing(dataset, rubric, { criterion: criterion.id, blind: true });
  const answers = new Map<number, RatedItem['answers'][number][]>();
  for (const { seq, label } of labels) {
    const { what, annotator } = label;
    if (what.act !== 'label' && what.act !== 'not_applicable') continue;
    const list = answers.get(seq) ?? [];
    list.push({ annotator, value: what.act === 'label' ? what.value : null });
    answers.set(seq, list);
  }
  const samples = store.samples.bySeq([...answers.keys()]);
  const { orders, bySample } = judged(store, dataset, judge, criterion);
  return [...answers].flatMap(([seq, given]) => {
    const sample = samples.get(seq);
    if (sample === undefined || !matches(sample, where)) return [];
    return [toItem(sample, given, goldOf(given, criterion), bySample.get(seq) ?? [], orders, criterion)];
  });
}

/** The same for one split of a frozen label set: its gold and its labels, the store's verdicts. */
export function ratedSetItems(
  store: Store,
  set: LabelSet,
  split: 'dev' | 'test',
  query: Omit<RatedQuery, 'rubric'>,
): RatedItem[] {
  const { criterion, dataset, where } = query;
  const { orders, bySample } = judged(store, dataset, query.judge, criterion);
  const seqs = new Map(store.samples.ids(dataset).map(({ id, seq }) => [id, seq]));
  return set.items.flatMap((item) => {
    if (item.split !== split || !matches(item.sample, where)) return [];
    const given = item.labels.filter((label) => label.criterion === criterion.id);
    if (given.length === 0) return [];
    const seq = seqs.get(item.sample.id);
    return [
      toItem(
        item.sample,
        given,
        item.gold[criterion.id] ?? null,
        seq === undefined ? [] : (bySample.get(seq) ?? []),
        orders,
        criterion,
      ),
    ];
  });
}

interface Judged {
  /** The orders that the judge was asked in; `[null]` where it judged no pairs. */
  orders: (PairOrder | null)[];
  bySample: Map<number, StandingVerdict[]>;
}

function judged(store: Store, dataset: number, judge: number | null, criterion: Criterion): Judged {
  const bySample = new Map<number, StandingVerdict[]>();
  const orders = new Set<PairOrder | null>();
  for (const verdict of judge === null ? [] : store.verdicts.standing(dataset, judge, criterion.id)) {
    orders.add(verdict.order);
    const list = bySample.get(verdict.seq) ?? [];
    list.push(verdict);
    bySample.set(verdict.seq, list);
  }
  return { orders: [...orders].sort(), bySample };
}

function toItem(
  sample: Sample,
  answers: RatedItem['answers'],
  gold: RatedItem['gold'],
  verdicts: readonly StandingVerdict[],
  orders: readonly (PairOrder | null)[],
  criterion: Criterion,
): RatedItem {
  const inOrder = (order: PairOrder) => combineVotes(criterion, verdicts, [order]);
  return {
    sample: sample.id,
    external: sample.origin.external ?? null,
    cluster: clusterOf(sample),
    answers: answers.map(({ annotator, value }) => ({ annotator, value })),
    gold,
    verdict: combineVotes(criterion, verdicts, orders),
    orders: orders.length > 1 && verdicts.length > 0 ? { ab: inOrder('ab'), ba: inOrder('ba') } : null,
  };
}

function matches({ origin }: Sample, where: Record<string, string>): boolean {
  return Object.entries(where).every(([key, wanted]) => String(origin.metadata[key] ?? '') === wanted);
}
