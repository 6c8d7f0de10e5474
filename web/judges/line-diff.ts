import { diffArrays, diffWordsWithSpace } from 'diff';
import type { Mark } from '../text/pieces.ts';

/** A line of one side; `at` counts from 1, marks are the words that changed. */
export interface Line {
  at: number;
  text: string;
  marks: Mark[];
}

/** One row of two texts side by side: the same line on both sides, a changed one, or one that only one side has. */
export interface Row {
  kind: 'same' | 'changed' | 'removed' | 'added';
  was: Line | null;
  now: Line | null;
}

/** Edits after which lines are no longer paired: the whole then counts as changed. */
const MOST_EDITS = 1000;
/** The least share of a line that has to stay for its words to be compared. */
const ALIKE = 0.4;

/** Sets two texts side by side, line by line and, where two lines are alike, word by word. */
export function diffText(was: string, now: string): Row[] {
  const [before, after] = [was.split('\n'), now.split('\n')];
  const changes = diffArrays(before, after, { maxEditLength: MOST_EDITS }) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ];
  const rows: Row[] = [];
  let [left, right] = [1, 1];
  let removed: Line[] = [];
  const flush = (added: Line[]) => {
    rows.push(...paired(removed, added));
    removed = [];
  };
  for (const change of changes) {
    if (change.removed) {
      flush([]);
      removed = change.value.map((text) => ({ at: left++, text, marks: [] }));
    } else if (change.added) {
      flush(change.value.map((text) => ({ at: right++, text, marks: [] })));
    } else {
      flush([]);
      for (const text of change.value) {
        rows.push({
          kind: 'same',
          was: { at: left++, text, marks: [] },
          now: { at: right++, text, marks: [] },
        });
      }
    }
  }
  flush([]);
  return rows;
}

function paired(removed: readonly Line[], added: readonly Line[]): Row[] {
  return Array.from({ length: Math.max(removed.length, added.length) }, (_, index) => {
    const [was, now] = [removed[index] ?? null, added[index] ?? null];
    if (was !== null && now !== null) return { kind: 'changed', ...wordsMarked(was, now) };
    return was === null ? { kind: 'added', was, now } : { kind: 'removed', was, now };
  });
}

/** Marks the words that differ; where hardly any is the same, the lines speak for themselves. */
function wordsMarked(was: Line, now: Line): { was: Line; now: Line } {
  const changes = diffWordsWithSpace(was.text, now.text, { maxEditLength: MOST_EDITS }) ?? [];
  const marks: { removed: Mark[]; added: Mark[] } = { removed: [], added: [] };
  let [left, right, same] = [0, 0, 0];
  for (const { value, removed, added } of changes) {
    if (removed) marks.removed.push({ start: left, end: left + value.length, kind: 'removed' });
    else if (added) marks.added.push({ start: right, end: right + value.length, kind: 'added' });
    else same += value.length;
    if (!added) left += value.length;
    if (!removed) right += value.length;
  }
  if (same < ALIKE * Math.max(was.text.length, now.text.length)) return { was, now };
  return { was: { ...was, marks: marks.removed }, now: { ...now, marks: marks.added } };
}

/** A stretch of rows that is shown, or of the same lines that is folded away. */
export interface Stretch {
  folded: boolean;
  rows: Row[];
}

/** Folds what is the same, but for a few lines around each change. */
export function foldSame(rows: readonly Row[], around = 2): Stretch[] {
  const near = rows.map((_, index) =>
    rows.slice(Math.max(0, index - around), index + around + 1).some(({ kind }) => kind !== 'same'),
  );
  const stretches: Stretch[] = [];
  rows.forEach((row, index) => {
    const folded = !near[index];
    const last = stretches.at(-1);
    if (last?.folded === folded) last.rows.push(row);
    else stretches.push({ folded, rows: [row] });
  });
  return stretches;
}
