import type { AgreementReport } from '../core/agreement.ts';
import type { AttackFigures } from '../core/attack.ts';
import { Problem } from '../core/problem.ts';
import type { Criterion, Rubric } from '../core/rubric.ts';
import { agreementReport } from '../harness/calibrate/agreement-report.ts';
import { type LoadedJudge, loadJudge } from '../harness/workspace/judges.ts';
import { latestLabelSet, loadLabelSet, type NamedLabelSet } from '../harness/workspace/label-sets.ts';
import { loadRubric } from '../harness/workspace/rubrics.ts';
import type { Store } from './db/store.ts';
import type { JudgeRow } from './db/verdicts.ts';
import { judgedItems, labelledItems, labelledSetItems } from './rated-items.ts';
import type { Services } from './services.ts';

export interface AgreementQuery {
  dataset: string;
  rubric: string;
  criterion: string;
  /** Each `judge@version` or `foreign:name`. */
  judges: readonly string[];
  /** A frozen label set, or null for the latest; where there is none, all labels as they stand now. */
  labelSet: string | null;
  split: 'dev' | 'test' | 'all';
  where: Record<string, string>;
  /** Who looks and why: asked for where the test split is in the figures. */
  look: { by: string; reason: string } | null;
}

/**
 * Judges' agreement with people on one criterion, a report each.
 * Tuning sees dev: where a label set is frozen, figures over test (or over all) are a look, which needs a reason and
 * is recorded before they are shown.
 * @throws Problem `look_needs_reason` where it has none.
 */
export function agreement(
  services: Pick<Services, 'workspace' | 'store' | 'now'>,
  query: AgreementQuery,
): AgreementReport[] {
  const { workspace, store } = services;
  const dataset = store.samples.dataset(query.dataset);
  const { rubric } = loadRubric(workspace, query.rubric);
  const criterion = criterionOf(rubric, query.criterion);
  const set =
    query.labelSet === null
      ? latestLabelSet(workspace, query.dataset, query.rubric)
      : { ...loadLabelSet(workspace, query.labelSet), ref: query.labelSet };
  const sought = { dataset: dataset.id, criterion, where: query.where };
  const labelled =
    set === null || query.split === 'all'
      ? labelledItems(store, query.rubric, sought)
      : labelledSetItems(store, set, query.split, sought);
  return query.judges.map((name) => {
    const judge = judgeRow(services, dataset.id, name);
    const members = membersOf(services, name);
    const rows = members?.map(({ ref, hash }) => store.verdicts.known(ref, hash)?.id ?? null);
    return agreementReport(judgedItems(store, labelled, judge?.id ?? null, sought, rows), criterion, {
      members: members?.map(({ ref }) => ref) ?? null,
      dataset: query.dataset,
      label_set: set?.ref ?? null,
      split: set === null ? 'all' : query.split,
      rubric: query.rubric,
      judge: name,
      judge_hash: judge === null || judge.hash === 'foreign' ? null : judge.hash,
      simulated: judge?.simulated ?? false,
      where: query.where,
      looks_at_test: set === null ? 0 : looksAt(services, query, set, name, judge),
      attack_pack: attackFiguresOf(store, judge?.hash ?? null, criterion.id),
    });
  });
}

/** A panel's members; null of any other judge. */
function membersOf(
  { workspace, store }: Pick<Services, 'workspace' | 'store'>,
  name: string,
): readonly LoadedJudge[] | null {
  if (name.startsWith('foreign:')) return null;
  const { judge, members } = loadJudge(
    workspace,
    name,
    (id) => store.samples.find(id)?.sample.content_hash ?? null,
  );
  return judge.panel === undefined ? null : members;
}

/** What the attack pack came to on a judge version's criterion; null where it was not run. */
export function attackFiguresOf(
  store: Pick<Store, 'attacks'>,
  judgeHash: string | null,
  criterion: string,
): AttackFigures | null {
  const report = judgeHash === null ? null : store.attacks.reportOn(judgeHash);
  return report?.criteria[criterion] ?? null;
}

/** Looks at the set's test split so far; this one is recorded first where it is one. */
function looksAt(
  { store, now }: Pick<Services, 'store' | 'now'>,
  { split, look }: AgreementQuery,
  { ref, header }: NamedLabelSet,
  name: string,
  judge: JudgeRow | null,
): number {
  if (split === 'dev') return store.looks.count(header.hash);
  if (look === null) {
    throw new Problem(
      'look_needs_reason',
      `the ${split === 'test' ? 'test split' : 'whole'} of ${ref} is sealed`,
      {
        remedy:
          'Look at dev; or say why you look at test (--look "reason"): each look is counted and shown with the figure.',
        status: 409,
      },
    );
  }
  const { by, reason } = look;
  const at = now().toISOString();
  return store.write(() =>
    store.looks.record({
      labelSet: ref,
      labelSetHash: header.hash,
      judge: name,
      judgeHash: judge?.hash ?? '',
      reason,
      by,
      at,
    }),
  );
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
