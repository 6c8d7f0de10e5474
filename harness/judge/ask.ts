import type { ResolvedJudge } from '../../core/judge.ts';
import { type Criterion, type EvidenceSource, levelValues } from '../../core/rubric.ts';
import type { SampleField, SampleKind } from '../../core/sample.ts';
import type { PairOrder } from '../../core/verdict.ts';

/** Answers that a judge may give in place of a level. */
export const CANNOT_TELL = 'cannot_tell';
export const NOT_APPLICABLE = 'not_applicable';

/** What one call asks, in the words that the model sees: slots instead of answers, offered values, quotable fields. */
export interface Ask {
  criteria: readonly Criterion[];
  kind: SampleKind;
  order: PairOrder | null;
  evidence: ResolvedJudge['judge']['evidence'];
  /** By the field's name in the reply. */
  fields: ReadonlyMap<string, SampleField>;
}

/** Builds the ask of a group of criteria for one kind of sample. @param order null unless the criteria are pairwise. */
export function createAsk(
  resolved: ResolvedJudge,
  criteria: readonly Criterion[],
  kind: SampleKind,
  order: PairOrder | null,
): Ask {
  const sources = new Set(criteria.flatMap((criterion) => criterion.evidence.from));
  const fields = new Map([...sources].flatMap((source) => fieldsOf(source, kind, order)));
  return { criteria, kind, order, evidence: resolved.judge.evidence, fields };
}

/** Values that a criterion offers, as the model writes them, each with what it means. */
export function offeredValues(ask: Ask, criterion: Criterion): Map<string, string> {
  const levels = levelValues(criterion).map((value): [string, string] => [
    shownValue(ask, criterion, value),
    value,
  ]);
  const offered = new Map(levels);
  if (criterion.not_applicable !== undefined && !offered.has(NOT_APPLICABLE))
    offered.set(NOT_APPLICABLE, NOT_APPLICABLE);
  if (!offered.has(CANNOT_TELL)) offered.set(CANNOT_TELL, CANNOT_TELL);
  return offered;
}

/** A level as the model sees it: answers of a pair are named by the slot that they stand in. */
export function shownValue(ask: Pick<Ask, 'order'>, criterion: Criterion, value: string): string {
  if (criterion.scale !== 'pairwise' || value === 'tie') return value;
  return value === firstAnswer(ask.order) ? 'response_1' : 'response_2';
}

/** Which answer of a pair stands in slot 1. */
export function firstAnswer(order: PairOrder | null): 'a' | 'b' {
  return order === 'ba' ? 'b' : 'a';
}

function fieldsOf(
  source: EvidenceSource,
  kind: SampleKind,
  order: PairOrder | null,
): [string, SampleField][] {
  if (source !== 'output' || kind !== 'pair') return [[source, source]];
  const [one, two]: SampleField[] =
    firstAnswer(order) === 'a' ? ['output_a', 'output_b'] : ['output_b', 'output_a'];
  return [
    ['response_1', one ?? 'output_a'],
    ['response_2', two ?? 'output_b'],
  ];
}
