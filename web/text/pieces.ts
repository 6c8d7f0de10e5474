import { type HiddenRun, hiddenRuns, MOST_RUNS } from './hidden-characters.ts';

/** Why a passage is marked; each kind has its own colour and line. */
export type MarkKind = 'mine' | 'other' | 'cursor' | 'exact' | 'normalised' | 'person' | 'removed' | 'added';

/** A marked passage: offsets in UTF-16 units of the raw text, `end` exclusive. */
export interface Mark {
  start: number;
  end: number;
  kind: MarkKind;
  /** Said when the passage is pointed at. */
  title?: string;
}

/** A stretch of a text that is laid out on its own, so that what is off the screen costs nothing. */
export interface Block {
  at: number;
  text: string;
  hidden: readonly HiddenRun[];
}

/** A stretch in which every character is shown the same way. */
export interface Piece {
  at: number;
  text: string;
  marks: readonly Mark[];
  hidden: HiddenRun | null;
}

const USUAL = 4000;
const LONGEST = 16_000;

/**
 * Cuts a text into blocks: after a line feed where there is one, between words in a very long line. Joined in order
 * they are the text again.
 */
export function blocksOf(text: string): { blocks: Block[]; hidden: number } {
  const runs = hiddenRuns(text);
  const shown = runs.slice(0, MOST_RUNS);
  const blocks: Block[] = [];
  let run = 0;
  for (let at = 0; at < text.length; ) {
    const end = blockEnd(text, at);
    const first = run;
    while (run < shown.length && (shown[run]?.start ?? 0) < end) run++;
    blocks.push({ at, text: text.slice(at, end), hidden: shown.slice(first, run) });
    at = end;
  }
  return { blocks, hidden: runs.reduce((sum, one) => sum + one.count, 0) };
}

/** Those marks that touch a block; the same empty list for every block without one. */
export function marksIn(block: Pick<Block, 'at' | 'text'>, marks: readonly Mark[]): readonly Mark[] {
  const end = block.at + block.text.length;
  const touching = marks.filter((mark) => mark.start < end && mark.end > block.at && mark.end > mark.start);
  return touching.length === 0 ? NONE : touching;
}

/** Cuts a block at every edge of a mark and of a hidden run. Joined in order the pieces are the block again. */
export function piecesOf({ at, text, hidden }: Block, marks: readonly Mark[]): Piece[] {
  const end = at + text.length;
  const edges = new Set([at, end]);
  for (const { start, end: to } of [...marks, ...hidden]) {
    if (start > at && start < end) edges.add(start);
    if (to > at && to < end) edges.add(to);
  }
  const sorted = [...edges].sort((one, other) => one - other);
  const pieces: Piece[] = [];
  let run = 0;
  sorted.slice(0, -1).forEach((from, index) => {
    const to = sorted[index + 1] ?? end;
    while (run < hidden.length && (hidden[run]?.end ?? 0) <= from) run++;
    const inside = hidden[run];
    pieces.push({
      at: from,
      text: text.slice(from - at, to - at),
      marks: marks.filter((mark) => mark.start <= from && mark.end >= to),
      hidden: inside !== undefined && inside.start <= from && inside.end >= to ? inside : null,
    });
  });
  return pieces;
}

const NONE: readonly Mark[] = [];

function blockEnd(text: string, at: number): number {
  if (text.length - at <= USUAL) return text.length;
  const before = text.lastIndexOf('\n', at + USUAL);
  if (before > at) return before + 1;
  const after = text.indexOf('\n', at + USUAL);
  if (after !== -1 && after - at < LONGEST) return after + 1;
  if (after === -1 && text.length - at < LONGEST) return text.length;
  const space = text.lastIndexOf(' ', at + USUAL);
  return space > at ? space + 1 : wholeCharacter(text, at + USUAL);
}

/** The next place that parts no surrogate pair; and no mark from its base, unless hundreds pile up. */
function wholeCharacter(text: string, near: number): number {
  let at = near;
  while (
    at < text.length &&
    at < near + 200 &&
    /^(?:\p{M}|\u200d|[\udc00-\udfff])/u.test(text.slice(at, at + 2))
  )
    at++;
  return /^[\udc00-\udfff]/.test(text.slice(at, at + 1)) ? at + 1 : at;
}
