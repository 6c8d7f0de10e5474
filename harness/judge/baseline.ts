import { baselineFeature, baselineValue, fitBaseline } from '../../core/baseline.ts';
import { BaselineFit, BaselineModel, type Judge, judgeRef, type ResolvedJudge } from '../../core/judge.ts';
import type { LabelSet } from '../../core/label-set.ts';
import { Problem } from '../../core/problem.ts';
import { type Criterion, versionRef } from '../../core/rubric.ts';
import type { SampleContent } from '../../core/sample.ts';
import type { Outcome } from '../../core/verdict.ts';

/**
 * Fits a baseline judge's criteria on the dev split of a label set.
 * @throws Problem where dev has no gold, or a criterion can't be cut.
 */
export function fitJudge({ judge, rubric }: ResolvedJudge, { header, items }: LabelSet): BaselineFit {
  const model = BaselineModel.parse(judge.model);
  const asked = rubric.criteria.filter((criterion) => judge.criteria.includes(criterion.id));
  const fits = asked.map((criterion) => ({ id: criterion.id, ...fitBaseline(model, criterion, items) }));
  return BaselineFit.parse({
    label_set: versionRef(header.label_set, header.version),
    label_set_hash: header.hash,
    n: Math.max(...fits.map(({ n }) => n)),
    criteria: Object.fromEntries(fits.map(({ id, rule }) => [id, rule])),
  });
}

/** What a fitted baseline says of one sample: its reason tells the measure, and it quotes nothing. */
export function baselineOutcome(
  judge: Judge,
  fit: BaselineFit,
  criterion: Criterion,
  content: SampleContent,
): Outcome {
  const rule = fit.criteria[criterion.id];
  if (rule === undefined) throw unfitted(judge, `"${criterion.id}"`);
  const model = BaselineModel.parse(judge.model);
  const feature = baselineFeature(model, content);
  const value = baselineValue(rule, feature);
  const measured = feature === null ? 'the commonest level' : `measure ${feature.toFixed(4)}`;
  return {
    outcome: 'scored',
    value,
    reason: `${model}, fitted on ${fit.label_set} dev: ${measured}.`,
    quotes: [],
  };
}

export function unfitted(judge: Judge, what: string): Problem {
  return new Problem('baseline_unfitted', `baseline ${judgeRef(judge)} was not fitted on ${what}`, {
    remedy: 'Freeze a label set with a dev split under its rubric; it learns from that.',
  });
}
