import type { Ratings } from '../api.ts';
import type { Mark } from '../text/pieces.ts';
import { textKey } from '../text/text-key.ts';

/** Whose passages are shown: all, or those of one judge or criterion. */
export interface Wanted {
  judge?: string;
  criterion?: string;
}

/** As much of a verdict as its marks need. */
type Quoted = Pick<Ratings['verdicts'][number], 'judge' | 'criterion' | 'quotes'>;

/** The passages that judges quoted and people marked, by the text that they stand in. */
export function marksOf(
  { verdicts, labels }: { verdicts: readonly Quoted[]; labels: Ratings['labels'] },
  { judge, criterion }: Wanted = {},
): Map<string, Mark[]> {
  const marks = new Map<string, Mark[]>();
  const add = (key: string, mark: Mark) => marks.set(key, [...(marks.get(key) ?? []), mark]);
  const wanted = (of: string) => criterion === undefined || of === criterion;
  for (const verdict of verdicts) {
    if (!wanted(verdict.criterion) || (judge !== undefined && verdict.judge !== judge)) continue;
    for (const quote of verdict.quotes) {
      const { status } = quote;
      if (status === 'unsupported') continue;
      for (const place of quote.places)
        add(textKey(quote), { ...place, kind: status, title: `${verdict.judge}: ${verdict.criterion}` });
    }
  }
  for (const { annotator, criterion: on, evidence } of standing(labels)) {
    if (!wanted(on)) continue;
    for (const span of evidence)
      add(textKey(span), { start: span.start, end: span.end, kind: 'person', title: `${annotator}: ${on}` });
  }
  return marks;
}

/** What stands of a history: each person's last event on each criterion. */
export function standing(labels: Ratings['labels']): Ratings['labels'] {
  const last = new Map(labels.map((label) => [`${label.annotator}\n${label.criterion}`, label]));
  return [...last.values()].filter(({ what }) => what.act !== 'clear');
}
