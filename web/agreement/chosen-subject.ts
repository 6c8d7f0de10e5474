import type { DatasetView, JudgeList, RubricView } from '../api.ts';

/** What a report is of. */
export interface Subject {
  dataset: string;
  rubric: string;
  criterion: string;
  judge: string;
}

/** What there is to choose from, and what is chosen; `subject` null where something is missing. */
export interface Offer {
  datasets: string[];
  rubrics: string[];
  criteria: string[];
  judges: string[];
  subject: Subject | null;
}

/**
 * Fills up what the address leaves open: the first dataset, its own rubric, the first criterion, the first judge of
 * both; verdicts that came with a file count as a judge of their dataset.
 */
export function subjectOf(
  lists: { datasets: readonly DatasetView[]; rubrics: readonly RubricView[]; judges: JudgeList },
  wanted: { [Name in keyof Subject]: string | null },
): Offer {
  const dataset = pick(lists.datasets, ({ name }) => name, wanted.dataset);
  const rubric = pick(lists.rubrics, ({ ref }) => ref, wanted.rubric ?? dataset?.rubric ?? null);
  const criteria = rubric?.rubric.criteria.map(({ id }) => id) ?? [];
  const first = pick(
    criteria,
    (id) => id,
    wanted.criterion ?? firstJudged(lists.judges, rubric?.ref, wanted.judge),
  );
  const judges = [
    ...lists.judges.judges
      .filter(({ judge }) => judge.rubric === rubric?.ref && first !== null && judge.criteria.includes(first))
      .map(({ ref }) => ref),
    ...lists.judges.foreign
      .filter((one) => one.dataset === dataset?.name && first !== null && one.criteria.includes(first))
      .map(({ name }) => name),
  ];
  const judge = pick(judges, (name) => name, wanted.judge);
  return {
    datasets: lists.datasets.map(({ name }) => name),
    rubrics: lists.rubrics.map(({ ref }) => ref),
    criteria,
    judges,
    subject:
      dataset === null || rubric === null || first === null || judge === null
        ? null
        : { dataset: dataset.name, rubric: rubric.ref, criterion: first, judge },
  };
}

/** A judge that was asked for by name is shown on a criterion that it judges. */
function firstJudged(
  { judges, foreign }: JudgeList,
  rubric: string | undefined,
  judge: string | null,
): string | null {
  const own = judges.find((one) => one.ref === judge && one.judge.rubric === rubric);
  return own?.judge.criteria[0] ?? foreign.find((one) => one.name === judge)?.criteria[0] ?? null;
}

function pick<T>(from: readonly T[], name: (one: T) => string, wanted: string | null): T | null {
  return from.find((one) => name(one) === wanted) ?? from[0] ?? null;
}
