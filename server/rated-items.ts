import { type Answer, goldOf } from '../core/gold.ts';
import type { LabelSet } from '../core/label-set.ts';
import type { Criterion } from '../core/rubric.ts';
import { clusterOf, type Sample } from '../core/sample.ts';
import type { Outcome, PairOrder } from '../core/verdict.ts';
import { type RatedItem, scoredValue } from '../harness/calibrate/rated-item.ts';
import { combineVotes } from '../harness/judge/combine.ts';
import type { Store } from './db/store.ts';
import type { StandingVerdict } from './db/verdicts.ts';

/** A labelled sample before any judge is looked at. */
type Labelled = Omit<RatedItem, 'verdict' | 'orders' | 'repeats' | 'members'> & { seq: number | null };

export interface LabelledQuery {
  dataset: number;
  criterion: Criterion;
  /** Metadata that a sample must have, by name. */
  where: Record<string, string>;
}

/** What people said (blind) in a dataset under a rubric version, and the gold they settle on; nobody's is left out. */
export function labelledItems(
  store: Store,
  rubric: string,
  { dataset, criterion, where }: LabelledQuery,
): Labelled[] {
  const answers = new Map<number, Answer[]>();
  for (const { seq, label } of store.labels.standing(dataset, rubric, {
    criterion: criterion.id,
    blind: true,
  })) {
    const { what, annotator } = label;
    if (what.act !== 'label' && what.act !== 'not_applicable') continue;
    const list = answers.get(seq) ?? [];
    list.push({ annotator, value: what.act === 'label' ? what.value : null });
    answers.set(seq, list);
  }
  const samples = store.samples.bySeq([...answers.keys()]);
  return [...answers].flatMap(([seq, given]) => {
    const sample = samples.get(seq);
    if (sample === undefined || !matches(sample, where)) return [];
    return [{ ...placeOf(sample), seq, answers: given, gold: goldOf(given, criterion) }];
  });
}

/** The same for one split of a frozen label set, with the gold that was frozen. */
export function labelledSetItems(
  store: Store,
  set: LabelSet,
  split: 'dev' | 'test',
  { dataset, criterion, where }: LabelledQuery,
): Labelled[] {
  const seqs = new Map(store.samples.ids(dataset).map(({ id, seq }) => [id, seq]));
  return set.items.flatMap(({ sample, labels, gold, split: side }) => {
    const answers = labels.filter((label) => label.criterion === criterion.id);
    if (side !== split || answers.length === 0 || !matches(sample, where)) return [];
    const given = answers.map(({ annotator, value }) => ({ annotator, value }));
    return [
      {
        ...placeOf(sample),
        seq: seqs.get(sample.id) ?? null,
        answers: given,
        gold: gold[criterion.id] ?? null,
      },
    ];
  });
}

/**
 * Labelled samples with one judge's verdicts beside them; null = a judge without any.
 * @param members rows of a panel's members, in its order.
 */
export function judgedItems(
  store: Store,
  labelled: readonly Labelled[],
  judge: number | null,
  { dataset, criterion }: Pick<LabelledQuery, 'dataset' | 'criterion'>,
  members: readonly (number | null)[] = [],
): RatedItem[] {
  const seated = members.map((member) => combinedVerdicts(store, dataset, member, criterion));
  const { orders, bySample } = judged(store, dataset, judge, criterion);
  return labelled.map(({ seq, ...item }) => {
    const verdicts = seq === null ? [] : (bySample.get(seq) ?? []);
    const inOrder = (order: PairOrder) => combineVotes(criterion, verdicts, [order]);
    return {
      ...item,
      verdict: combineVotes(criterion, verdicts, orders),
      orders: orders.length > 1 && verdicts.length > 0 ? { ab: inOrder('ab'), ba: inOrder('ba') } : null,
      repeats: steadiness(verdicts),
      members: seated.map((said) => (seq === null ? null : said(seq))),
    };
  });
}

/** Did all repeats in the same order give one value? Null where none was asked again. */
function steadiness(verdicts: readonly StandingVerdict[]): RatedItem['repeats'] {
  if (verdicts.every(({ repeat }) => repeat === 1)) return null;
  if (verdicts.some(({ result }) => result.outcome !== 'scored')) return 'unscored';
  const same = verdicts.every(({ order, result }) => {
    const first = verdicts.find((one) => one.order === order);
    return first !== undefined && scoredValue(first.result) === scoredValue(result);
  });
  return same ? 'same' : 'differ';
}

/** What a judge's verdicts come to, sample by sample; null = a sample without any. */
export function combinedVerdicts(
  store: Store,
  dataset: number,
  judge: number | null,
  criterion: Criterion,
): (seq: number) => Outcome | null {
  const { orders, bySample } = judged(store, dataset, judge, criterion);
  return (seq) => combineVotes(criterion, bySample.get(seq) ?? [], orders);
}

function placeOf(sample: Sample) {
  return { sample: sample.id, external: sample.origin.external ?? null, cluster: clusterOf(sample) };
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

function matches({ origin }: Sample, where: Record<string, string>): boolean {
  return Object.entries(where).every(([key, wanted]) => String(origin.metadata[key] ?? '') === wanted);
}
