import type { AgreementReport } from '../core/agreement.ts';
import { Problem } from '../core/problem.ts';
import type { Criterion, Rubric } from '../core/rubric.ts';
import { agreementReport } from '../harness/calibrate/agreement-report.ts';
import { loadJudge } from '../harness/workspace/judges.ts';
import { latestLabelSet, loadLabelSet } from '../harness/workspace/label-sets.ts';
import { loadRubric } from '../harness/workspace/rubrics.ts';
import type { JudgeRow } from './db/verdicts.ts';
import { ratedItems, ratedSetItems } from './rated-items.ts';
import type { Services } from './services.ts';

export interface AgreementQuery {
  dataset: string;
  rubric: string;
  criterion: string;
  /** `judge@version` or `foreign:name`. */
  judge: string;
  /** A frozen label set, `latest`, or null for all labels as they stand now. */
  labelSet: string | null;
  split: 'dev' | 'test' | 'all';
  where: Record<string, string>;
  /** Who looks and why: asked for where the test split is in the figures. */
  look: { by: string; reason: string } | null;
}

/**
 * A judge's agreement with people on one criterion.
 * Tuning sees dev: where a label set is frozen, figures over test (or over all) are a look, which needs a reason and
 * is recorded before they are shown.
 * @throws Problem `look_needs_reason` where it has none.
 */
export function agreement(
  services: Pick<Services, 'workspace' | 'store' | 'now'>,
  query: AgreementQuery,
): AgreementReport {
  const { workspace, store } = services;
  const dataset = store.samples.dataset(query.dataset);
  const { rubric } = loadRubric(workspace, query.rubric);
  const criterion = criterionOf(rubric, query.criterion);
  const judge = judgeRow(services, dataset.id, query.judge);
  const set =
    query.labelSet === null || query.labelSet === 'latest'
      ? latestLabelSet(services.workspace, query.dataset, query.rubric)
      : namedSet(services, query.labelSet);
  const looks =
    set === null || query.split === 'dev'
      ? set === null
        ? 0
        : store.looks.count(set.header.hash)
      : recordLook(services, query, set.header.hash, set.ref, judge);
  const subject = {
    dataset: query.dataset,
    label_set: set?.ref ?? null,
    split: set === null ? ('all' as const) : query.split,
    rubric: query.rubric,
    judge: query.judge,
    judge_hash: judge?.hash === 'foreign' ? null : (judge?.hash ?? null),
    simulated: judge?.simulated ?? false,
    where: query.where,
    looks_at_test: looks,
  };
  const shared = { dataset: dataset.id, criterion, judge: judge?.id ?? null, where: query.where };
  const items =
    set === null || query.split === 'all'
      ? ratedItems(store, { ...shared, rubric: query.rubric })
      : ratedSetItems(store, set, query.split, shared);
  return agreementReport(items, criterion, subject);
}

function recordLook(
  { store, now }: Pick<Services, 'store' | 'now'>,
  query: AgreementQuery,
  hash: string,
  ref: string,
  judge: JudgeRow | null,
): number {
  if (query.look === null) {
    throw new Problem(
      'look_needs_reason',
      `the ${query.split === 'test' ? 'test split' : 'whole'} of ${ref} is sealed`,
      {
        remedy:
          'Look at dev; or say why you look at test (--look "reason"): each look is counted and shown with the figure.',
        status: 409,
      },
    );
  }
  const { by, reason } = query.look;
  return store.write(() =>
    store.looks.record({
      labelSet: ref,
      labelSetHash: hash,
      judge: query.judge,
      judgeHash: judge?.hash ?? '',
      reason,
      by,
      at: now().toISOString(),
    }),
  );
}

function namedSet({ workspace }: Pick<Services, 'workspace'>, ref: string) {
  return { ...loadLabelSet(workspace, ref), ref };
}

/** The judge's row for its current hash; null where it has no verdicts in the dataset yet. */
export function judgeRow(
  { workspace, store }: Pick<Services, 'workspace' | 'store'>,
  dataset: number,
  name: string,
): JudgeRow | null {
  const rows = store.verdicts.judgesOf(dataset).filter((row) => row.name === name);
  if (name.startsWith('foreign:')) {
    const [found] = rows;
    if (found !== undefined) return found;
    throw new Problem('no_judge', `no verdicts of ${name} in this dataset`, {
      remedy: `There are verdicts of: ${
        store.verdicts
          .judgesOf(dataset)
          .map((row) => row.name)
          .join(', ') || 'nobody yet'
      }.`,
      status: 404,
    });
  }
  const { hash } = loadJudge(workspace, name, (id) => store.samples.find(id)?.sample.content_hash ?? null);
  return rows.find((row) => row.hash === hash) ?? null;
}

/** @throws Problem `no_criterion` that lists the rubric's. */
export function criterionOf(rubric: Rubric, id: string): Criterion {
  const found = rubric.criteria.find((criterion) => criterion.id === id);
  if (found !== undefined) return found;
  throw new Problem('no_criterion', `${rubric.rubric}@${rubric.version} has no criterion "${id}"`, {
    remedy: `It has: ${rubric.criteria.map((criterion) => criterion.id).join(', ')}.`,
    status: 404,
  });
}
