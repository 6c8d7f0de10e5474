import type { Criterion } from '../../core/rubric.ts';
import type { Mark } from '../text/pieces.ts';
import { textKey } from '../text/text-key.ts';
import type { Marker } from './marker.svelte.ts';
import type { LabelSession } from './session.svelte.ts';

/** What is marked in each text of the sample at hand: the active question's evidence, the others', and a mark in the making. */
export function evidenceMarks(
  session: Pick<LabelSession, 'criteria' | 'standing'>,
  active: Criterion | undefined,
  marker: Marker | null,
): Map<string, Mark[]> {
  const marks = new Map<string, Mark[]>();
  const add = (key: string, mark: Mark) => marks.set(key, [...(marks.get(key) ?? []), mark]);
  for (const { id } of session.criteria) {
    const kind = id === active?.id ? 'mine' : 'other';
    for (const span of session.standing(id).evidence)
      add(textKey(span), { start: span.start, end: span.end, kind, title: `evidence: ${id}` });
  }
  if (marker?.text !== undefined) add(textKey(marker.text), { ...marker.range, kind: 'cursor' });
  return marks;
}
