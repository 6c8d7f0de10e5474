import { type Place, Problem } from '../../../../core/problem.ts';

/** One token of a Python text; `column` 0 means that it begins its line. */
export type PythonToken = { offset: number; end: number; column: number } & (
  | { type: 'text'; value: string }
  /** An f-string with something to compute, bytes, or an escape that we don't know. */
  | { type: 'computed' }
  | { type: 'number'; value: number }
  | { type: 'name'; name: string }
  | { type: 'mark'; mark: string }
);

const SPACE = /[ \t\r\n\f]+|#[^\r\n]*|\\\r?\n/y;
const QUOTE = /([rbuf]{0,2})("""|'''|"|')/iy;
const NUMBER = /(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:e[+-]?\d+)?/iy;
const NAME = /[\p{L}_][\p{L}\p{N}_]*/uy;

/** Cuts a Python text into tokens. @throws Problem `bad_file` at a string that never ends. */
export function pythonTokens(text: string, file: string): PythonToken[] {
  const tokens: PythonToken[] = [];
  let lineStart = 0;
  for (let at = 0; at < text.length; ) {
    const from = at;
    const space = match(SPACE, text, at);
    if (space === null) {
      const token = tokenAt(text, at, at - lineStart, file);
      tokens.push(token);
      at = token.end;
    } else at += space[0].length;
    const newLine = text.slice(from, at).lastIndexOf('\n');
    if (newLine !== -1) lineStart = from + newLine + 1;
  }
  return tokens;
}

/** Line and column of an offset, from 1. */
export function pythonPlace(text: string, offset: number, file: string, path = ''): Place {
  const before = text.slice(0, offset);
  const start = before.lastIndexOf('\n') + 1;
  const line = before.split('\n').length;
  return { file, line, column: offset - start + 1, ...(path && { path }) };
}

function tokenAt(text: string, offset: number, column: number, file: string): PythonToken {
  const quote = match(QUOTE, text, offset);
  if (quote !== null) {
    const [head, prefix = '', mark = '"'] = quote;
    const start = offset + head.length;
    const close = endOfText(text, start, mark);
    if (close === null) {
      throw new Problem('bad_file', `${file}: a text that begins here never ends`, {
        remedy: 'Close it with the quotes that it began with.',
        at: [pythonPlace(text, offset, file)],
      });
    }
    const value = textValue(text.slice(start, close), prefix.toLowerCase());
    const end = close + mark.length;
    return value === null
      ? { type: 'computed', offset, end, column }
      : { type: 'text', value, offset, end, column };
  }
  const number = match(NUMBER, text, offset);
  if (number !== null) {
    const value = Number(number[0].replaceAll('_', ''));
    const end = offset + number[0].length;
    return Number.isFinite(value)
      ? { type: 'number', value, offset, end, column }
      : { type: 'computed', offset, end, column };
  }
  const name = match(NAME, text, offset);
  if (name !== null) return { type: 'name', name: name[0], offset, end: offset + name[0].length, column };
  const mark = text.slice(offset, offset + (text.startsWith('->', offset) ? 2 : 1));
  return { type: 'mark', mark, offset, end: offset + mark.length, column };
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Where the closing quotes stand, or null. */
function endOfText(text: string, from: number, mark: string): number | null {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text.startsWith(mark, at)) return at;
    else if (mark.length === 1 && text[at] === '\n') return null;
  }
  return null;
}

const ESCAPE = /\\(\r\n|[0-7]{1,3}|x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8}|N\{[^}]*\}|[\s\S])/gi;
const SIMPLE: Record<string, string> = {
  '\n': '',
  '\r\n': '',
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** What a string literal means; null where only running Python would tell. */
function textValue(body: string, prefix: string): string | null {
  if (prefix.includes('b') || body.includes('\\N{')) return null;
  if (prefix.includes('f') && /[{}]/.test(body.replace(/\{\{|\}\}/g, ''))) return null;
  const braces = prefix.includes('f') ? body.replace(/\{\{/g, '{').replace(/\}\}/g, '}') : body;
  const lines = braces.replace(/\r\n?/g, '\n');
  const value = prefix.includes('r')
    ? lines
    : lines.replace(ESCAPE, (whole, code: string) => unescaped(whole, code));
  return value.isWellFormed() ? value : null;
}

function unescaped(whole: string, code: string): string {
  const simple = SIMPLE[code];
  if (simple !== undefined) return simple;
  if (/^[0-7]+$/.test(code)) return String.fromCodePoint(Number.parseInt(code, 8));
  const point = /^[xuU]/.test(code) && code.length > 1 ? Number.parseInt(code.slice(1), 16) : Number.NaN;
  return point <= 0x10_ff_ff ? String.fromCodePoint(point) : whole;
}
