import { canonicalJson, contentHash } from '../../core/hash.ts';
import type { BaselineFit, ResolvedJudge } from '../../core/judge.ts';
import { Problem } from '../../core/problem.ts';
import { type Criterion, rubricHash } from '../../core/rubric.ts';
import type { Sample } from '../../core/sample.ts';
import type { PairOrder } from '../../core/verdict.ts';
import { nativeDigest } from '../digest.ts';
import type { PlannedCall } from './ledger.ts';

/** What each sample is asked: groups of criteria that share a call, orders, repeats. */
export interface Plan {
  resolved: ResolvedJudge;
  groups: readonly (readonly Criterion[])[];
  orders: readonly (PairOrder | null)[];
  repeats: number;
  callsPerSample: number;
  /** Hash of everything but the sample, the criteria, the order and the repeat. */
  base: string;
  rubricHash: string;
}

/**
 * Plans a judge: one call a criterion (one for all where the judge asks them together), each order of a pair, each
 * repeat.
 * @throws Problem where the rubric lacks a criterion, pairwise and other criteria would share a judge, or several criteria
 * would share a reply in text.
 */
export function planJudge(resolved: ResolvedJudge, fit: BaselineFit | null = null): Plan {
  const { judge, rubric } = resolved;
  const criteria = judge.criteria.map((id) => criterionOf(resolved, id));
  const pairwise = criteria.filter((criterion) => criterion.scale === 'pairwise').length;
  if (pairwise > 0 && pairwise < criteria.length) {
    throw new Problem('mixed_scales', `judge ${judge.judge} mixes pairwise criteria with others`, {
      remedy: 'Write one judge for the pairwise criteria and another for the rest.',
    });
  }
  if (judge.together && judge.output === 'text' && criteria.length > 1) {
    throw new Problem('text_together', `judge ${judge.judge} asks several criteria at once in text output`, {
      remedy: 'Set output to structured or tool, or together to false.',
    });
  }
  const groups = judge.together ? [criteria] : criteria.map((criterion) => [criterion]);
  const orders = pairwise > 0 ? ordersOf(judge.pairwise.orders) : [null];
  return {
    resolved,
    groups,
    orders,
    repeats: judge.repeats,
    callsPerSample: groups.length * orders.length * judge.repeats,
    base: contentHash({ judge: resolved.hash, prompt: resolved.promptText, fit }, nativeDigest),
    rubricHash: rubricHash(rubric),
  };
}

/**
 * The calls of one sample, in a fixed order. The key holds the sample's id as well as its content, so that duplicates
 * in a dataset each get verdicts of their own.
 * @throws Problem `wrong_kind` where a pairwise criterion meets a sample that is no pair, or the other way round.
 */
export function planSample(
  plan: Plan,
  sample: Sample,
): { planned: PlannedCall; criteria: readonly Criterion[] }[] {
  checkKind(plan, sample);
  return plan.groups.flatMap((group) => {
    const ids = group.map((criterion) => criterion.id);
    return plan.orders.flatMap((order) =>
      Array.from({ length: plan.repeats }, (_, index) => {
        const repeat = index + 1;
        const parts = { base: plan.base, sample: sample.id, content: sample.content_hash };
        const key = nativeDigest(canonicalJson({ ...parts, criteria: ids, order, repeat }));
        return { planned: { key, sample: sample.id, criteria: ids, order, repeat }, criteria: group };
      }),
    );
  });
}

function criterionOf({ judge, rubric }: ResolvedJudge, id: string): Criterion {
  const found = rubric.criteria.find((criterion) => criterion.id === id);
  if (found === undefined) {
    throw new Problem(
      'unknown_criterion',
      `judge ${judge.judge} asks for "${id}", which ${judge.rubric} lacks`,
      {
        remedy: `Name criteria of the rubric: ${rubric.criteria.map((criterion) => criterion.id).join(', ')}.`,
      },
    );
  }
  return found;
}

function ordersOf(orders: 'both' | PairOrder): PairOrder[] {
  return orders === 'both' ? ['ab', 'ba'] : [orders];
}

function checkKind(plan: Plan, sample: Sample): void {
  const wantsPair = plan.orders[0] !== null;
  if (wantsPair === (sample.content.kind === 'pair')) return;
  const { judge } = plan.resolved;
  throw new Problem(
    'wrong_kind',
    wantsPair
      ? `judge ${judge.judge} compares pairs, and sample ${sample.id} is no pair`
      : `sample ${sample.id} is a pair, and judge ${judge.judge} has no pairwise criterion`,
    { remedy: 'Choose a dataset whose samples fit the rubric, or a judge whose criteria fit the samples.' },
  );
}
