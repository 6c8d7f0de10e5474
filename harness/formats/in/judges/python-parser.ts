import { Problem } from '../../../../core/problem.ts';
import { type PythonToken, pythonPlace } from './python-tokens.ts';
import { PythonCall, PythonComputed, PythonName, type PythonValue } from './python-value.ts';

/** Deepest nesting of brackets that is read. */
const MAX_DEPTH = 64;

/** Is a token this mark? */
export function isMark(token: PythonToken | undefined, mark: string): boolean {
  return token?.type === 'mark' && token.mark === mark;
}

const CLOSERS: Record<string, string> = { '(': ')', '[': ']', '{': '}' };
const WORDS = new Map<string, boolean | null>([
  ['True', true],
  ['False', false],
  ['None', null],
]);

/** Reads values and calls out of tokens; what is more than a literal comes back as computed. */
export class PythonParser {
  #at = 0;
  #depth = 0;
  readonly #text: string;
  readonly #tokens: PythonToken[];
  readonly #file: string;

  constructor(text: string, tokens: PythonToken[], file: string) {
    this.#text = text;
    this.#tokens = tokens;
    this.#file = file;
  }

  /** The call whose name stands at a token. */
  callAt(index: number): PythonCall {
    const name = this.#tokens[index];
    this.#at = index + 1;
    this.#depth = 0;
    return this.#call(name?.type === 'name' ? name.name : '', name?.offset ?? 0);
  }

  /** The value that begins at a token. */
  valueAt(index: number): PythonValue {
    this.#at = index;
    this.#depth = 0;
    return this.#value();
  }

  #call(name: string, offset: number): PythonCall {
    const positional: PythonValue[] = [];
    const named: Record<string, PythonValue> = {};
    const offsets: Record<string, number> = {};
    this.#inside('(', () => {
      const [key, equals] = [this.#peek(), this.#peek(1)];
      if (key?.type === 'name' && isMark(equals, '=') && !isMark(this.#peek(2), '=')) {
        this.#at += 2;
        offsets[key.name] = this.#peek()?.offset ?? key.offset;
        named[key.name] = this.#value();
      } else positional.push(this.#value());
    });
    return new PythonCall({ name, positional, named, offset, offsets });
  }

  /** A value up to the next comma or closing bracket; what is more than a value is computed. */
  #value(): PythonValue {
    const from = this.#at;
    let value = this.#operand();
    while (value !== undefined && isMark(this.#peek(), '+')) {
      this.#at++;
      const next = this.#operand();
      value = typeof value === 'string' && typeof next === 'string' ? value + next : undefined;
    }
    if (value !== undefined && this.#ends(from)) return value;
    return this.#skip(from);
  }

  /** Does the value end here: at a comma, a closing bracket, or a new line outside brackets? */
  #ends(from: number): boolean {
    const next = this.#peek();
    if (next === undefined || (next.type === 'mark' && [',', ')', ']', '}', ':'].includes(next.mark)))
      return true;
    return this.#depth === 0 && this.#newLine(this.#at) && this.#at > from;
  }

  #skip(from: number): PythonComputed {
    const start = this.#tokens[from]?.offset ?? 0;
    let open = 0;
    let end = start;
    for (this.#at = from; this.#at < this.#tokens.length; this.#at++) {
      const token = this.#tokens[this.#at];
      if (token === undefined) break;
      if (token.type === 'mark') {
        if (open === 0 && [',', ')', ']', '}'].includes(token.mark)) break;
        if (token.mark in CLOSERS) open++;
        else if ([')', ']', '}'].includes(token.mark)) open--;
      }
      if (open === 0 && this.#depth === 0 && this.#at > from && this.#newLine(this.#at)) break;
      end = token.end;
    }
    return new PythonComputed(this.#text.slice(start, end));
  }

  #operand(): PythonValue | undefined {
    const token = this.#peek();
    if (token === undefined || token.type === 'computed') return undefined;
    if (token.type === 'text') return this.#texts();
    if (token.type === 'number') {
      this.#at++;
      return token.value;
    }
    if (token.type === 'name') return this.#named(token.name, token.offset);
    if (token.mark === '-' && this.#peek(1)?.type === 'number') {
      this.#at++;
      const value = this.#operand();
      return typeof value === 'number' ? -value : undefined;
    }
    if (token.mark === '[') return this.#list('[').items;
    if (token.mark === '{') return this.#dictionary();
    if (token.mark !== '(') return undefined;
    const { items, comma } = this.#list('(');
    const [only] = items;
    return items.length === 1 && !comma ? this.#method(only) : items;
  }

  /** Texts side by side are one text. */
  #texts(): PythonValue | undefined {
    let value = '';
    for (let token = this.#peek(); ; token = this.#peek()) {
      if (token?.type === 'computed') return undefined;
      if (token?.type !== 'text' || (value !== '' && this.#depth === 0 && this.#newLine(this.#at))) break;
      value += token.value;
      this.#at++;
    }
    return this.#method(value);
  }

  /** `"…".strip()` is as good as the text. */
  #method(value: PythonValue | undefined): PythonValue | undefined {
    const [dot, name, open, close] = [this.#peek(), this.#peek(1), this.#peek(2), this.#peek(3)];
    if (!isMark(dot, '.') || typeof value !== 'string') return value;
    if (name?.type !== 'name' || name.name !== 'strip' || !isMark(open, '(') || !isMark(close, ')'))
      return undefined;
    this.#at += 4;
    return value.trim();
  }

  #named(first: string, offset: number): PythonValue | undefined {
    this.#at++;
    const word = WORDS.get(first);
    if (word !== undefined) return word;
    let name = first;
    for (let next = this.#peek(1); isMark(this.#peek(), '.') && next?.type === 'name'; next = this.#peek(1)) {
      name += `.${next.name}`;
      this.#at += 2;
    }
    if (isMark(this.#peek(), '[')) {
      const positional = this.#list('[').items;
      return new PythonCall({ name, positional, named: {}, offset, offsets: {} });
    }
    if (!isMark(this.#peek(), '(')) return new PythonName(name);
    const call = this.#call(name.slice(name.lastIndexOf('.') + 1), offset);
    const [only] = call.positional;
    if (call.name === 'dedent' && typeof only === 'string') return this.#method(dedented(only));
    return isMark(this.#peek(), '.') ? undefined : call;
  }

  #list(open: string): { items: PythonValue[]; comma: boolean } {
    const items: PythonValue[] = [];
    const comma = this.#inside(open, () => {
      items.push(this.#value());
    });
    return { items, comma };
  }

  #dictionary(): PythonValue | undefined {
    const entries: [string, PythonValue][] = [];
    let plain = true;
    this.#inside('{', () => {
      const key = this.#value();
      if (!isMark(this.#peek(), ':')) {
        plain = false;
        return;
      }
      this.#at++;
      const value = this.#value();
      if (typeof key === 'string') entries.push([key, value]);
      else plain = false;
    });
    return plain ? Object.fromEntries(entries) : undefined;
  }

  /** Reads items between brackets. @returns whether a comma stood behind any. */
  #inside(open: string, read: () => void): boolean {
    const start = this.#peek()?.offset ?? 0;
    const close = CLOSERS[open] ?? ')';
    if (++this.#depth > MAX_DEPTH) throw this.#fault(start, `brackets nested deeper than ${MAX_DEPTH}`);
    this.#at++;
    let comma = false;
    while (!isMark(this.#peek(), close)) {
      const before = this.#at;
      if (this.#peek() === undefined) throw this.#fault(start, `a "${open}" that is never closed`);
      read();
      if (isMark(this.#peek(), ',')) {
        this.#at++;
        comma = true;
      } else if (!isMark(this.#peek(), close)) {
        if (this.#at === before || this.#peek() === undefined)
          throw this.#fault(this.#peek()?.offset ?? start, `expected "," or "${close}"`);
      }
    }
    this.#at++;
    this.#depth--;
    return comma;
  }

  #peek(ahead = 0): PythonToken | undefined {
    return this.#tokens[this.#at + ahead];
  }

  #newLine(index: number): boolean {
    const [before, token] = [this.#tokens[index - 1], this.#tokens[index]];
    if (before === undefined || token === undefined) return true;
    return /\n/.test(this.#text.slice(before.end, token.offset).replace(/\\\r?\n/g, ''));
  }

  #fault(offset: number, message: string): Problem {
    const place = pythonPlace(this.#text, offset, this.#file);
    return new Problem('bad_file', `${message}`, {
      remedy: 'Mend the Python text; it is read, never run.',
      at: [place],
    });
  }
}

/** What `textwrap.dedent` gives: the white space that all lines begin with is gone. */
function dedented(text: string): string {
  const lines = text.split('\n').map((line) => (line.trim() === '' ? '' : line));
  const margins = lines.filter((line) => line !== '').map((line) => /^[ \t]*/.exec(line)?.[0] ?? '');
  const [first = ''] = margins;
  let margin = first;
  for (const one of margins) while (!one.startsWith(margin)) margin = margin.slice(0, -1);
  return lines.map((line) => (line === '' ? '' : line.slice(margin.length))).join('\n');
}
