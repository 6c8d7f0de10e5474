import { Lexer } from 'yaml';

/** The deepest nesting that is taken. */
const MAX_DEPTH = 64;

/** Tokens that stand for no text. */
const MARKS = new Set(['\u0002', '\u0018', '\u001f']);

/**
 * Where a text nests deeper than is taken, as an offset; null where it does not.
 * Read off the tokens, before a parser that calls itself for each level sees the text.
 */
export function tooDeepAt(text: string): number | null {
  let offset = 0;
  let flow = 0;
  let inLine = 0;
  let lineStart = true;
  let scalar = false;
  const indents: number[] = [];
  for (const token of new Lexer().lex(text)) {
    if (!scalar && MARKS.has(token)) {
      scalar = token === '\u001f';
      continue;
    }
    if (!scalar) {
      if (token.endsWith('\n')) {
        inLine = 0;
        lineStart = true;
        offset += token.length;
        continue;
      }
      if (lineStart && flow === 0) enter(indents, /^ */.exec(token)?.[0].length ?? 0);
      if (token === '[' || token === '{') flow++;
      else if (token === ']' || token === '}') flow = Math.max(0, flow - 1);
      else if (token === '-' || token === '?') inLine++;
      if (flow + inLine + indents.length > MAX_DEPTH) return offset;
    } else if (lineStart && flow === 0) enter(indents, 0);
    lineStart = false;
    scalar = false;
    offset += token.length;
  }
  return null;
}

/** Keeps the columns of the blocks that a line stands in. */
function enter(indents: number[], column: number): void {
  while ((indents.at(-1) ?? 0) > column) indents.pop();
  if (column > (indents.at(-1) ?? 0)) indents.push(column);
}
