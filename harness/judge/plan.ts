import { canonicalJson, contentHash } from '../../core/hash.ts';
import type { BaselineFit, ResolvedJudge } from '../../core/judge.ts';
import { Problem } from '../../core/problem.ts';
import { type Criterion, rubricHash } from '../../core/rubric.ts';
import type { Sample, SampleKind } from '../../core/sample.ts';
import type { PairOrder } from '../../core/verdict.ts';
import { nativeDigest } from '../digest.ts';
import type { FewShot } from './few-shot.ts';
import type { PlannedCall } from './ledger.ts';
import { createQuestions } from './questions.ts';

/** What each sample is asked: groups of criteria that share a call, orders, repeats. */
export interface Plan {
  resolved: ResolvedJudge;
  groups: readonly (readonly Criterion[])[];
  orders: readonly (PairOrder | null)[];
  repeats: number;
  callsPerSample: number;
  /** Hash of all that a call's request depends on but the sample's content and the repeat. */
  requestHash: (group: readonly Criterion[], kind: SampleKind, order: PairOrder | null) => string;
  rubricHash: string;
}

/**
 * Plans a judge: one call a criterion (one for all where the judge asks them together), each order of a pair, each
 * repeat.
 * @throws Problem where the rubric lacks a criterion, pairwise and other criteria would share a judge, or several criteria
 * would share a reply in text.
 */
export function planJudge(
  resolved: ResolvedJudge,
  fit: BaselineFit | null = null,
  examples: readonly FewShot[] = [],
): Plan {
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
    requestHash: createRequestHash(resolved, fit, examples),
    rubricHash: rubricHash(rubric),
  };
}

/**
 * The calls of one sample, in a fixed order. The key holds what the request depends on and no more, so that the next
 * version of a judge or a rubric asks only what it asks otherwise; and the sample's id as well as its content, so that
 * duplicates in a dataset each get verdicts of their own.
 * @throws Problem `wrong_kind` where a pairwise criterion meets a sample that is no pair, or the other way round.
 */
export function planSample(
  plan: Plan,
  sample: Sample,
): { planned: PlannedCall; criteria: readonly Criterion[] }[] {
  checkKind(plan, sample);
  return plan.groups.flatMap((group) => {
    const ids = group.map((criterion) => criterion.id);
    return plan.orders.flatMap((order) => {
      const request = plan.requestHash(group, sample.content.kind, order);
      const parts = { request, sample: sample.id, content: sample.content_hash };
      return Array.from({ length: plan.repeats }, (_, index) => {
        const repeat = index + 1;
        const key = nativeDigest(canonicalJson({ ...parts, repeat }));
        return { planned: { key, sample: sample.id, criteria: ids, order, repeat }, criteria: group };
      });
    });
  });
}

/** What an answer depends on beside the sample: who is asked, in which words, and how the reply is read. */
function createRequestHash(
  resolved: ResolvedJudge,
  fit: BaselineFit | null,
  examples: readonly FewShot[],
): Plan['requestHash'] {
  const { provider, endpoint, model, params, output, evidence, trivial, parser } = resolved.judge;
  const asked = { provider, endpoint, model, params, output, evidence, trivial, parser };
  const questions = createQuestions(resolved, examples, () => '');
  const known = new Map<string, string>();
  return (group, kind, order) => {
    const id = [kind, order, ...group.map((criterion) => criterion.id)].join('\n');
    const found = known.get(id);
    if (found !== undefined) return found;
    const { prompt, output: shape } = questions(group, kind, order);
    const criteria = group.map((criterion) => {
      const { id: name, scale, levels, evidence: quotes } = criterion;
      const values = levels.map((level) => level.value);
      return { name, scale, values, quotes };
    });
    const words = { system: prompt.system, frame: prompt.frame, schema: shape.schema };
    const hash = contentHash({ ...asked, ...words, criteria, fit, kind, order }, nativeDigest);
    known.set(id, hash);
    return hash;
  };
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
