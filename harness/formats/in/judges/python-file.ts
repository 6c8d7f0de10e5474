import type { Place } from '../../../../core/problem.ts';
import type { KeyPath } from '../../foreign-judge.ts';
import { isMark, PythonParser } from './python-parser.ts';
import { type PythonToken, pythonPlace, pythonTokens } from './python-tokens.ts';
import { PythonCall, PythonComputed, PythonName, type PythonValue } from './python-value.ts';

/** How many names are followed from one to the next. */
const MAX_STEPS = 8;

/** A Python text whose calls can be looked up. */
export interface PythonFile {
  /** Every call of one of these names, in the order of the file; imports' prefixes don't matter. */
  calls: (names: readonly string[]) => PythonCall[];
  /** Where a call stands (`[index]`) or an argument of it (`[index, name]`), by the last look-up. */
  place: (path: KeyPath) => Place;
}

/** Reads a Python text without running any of it. @throws Problem `bad_file` where it is not Python or nests too deep. */
export function readPython(text: string, file: string): PythonFile {
  const tokens = pythonTokens(text, file);
  const parser = new PythonParser(text, tokens, file);
  const constants = constantsOf(parser, tokens);
  let found: PythonCall[] = [];
  return {
    calls: (names) => {
      found = [];
      tokens.forEach((token, index) => {
        if (token.type !== 'name' || !names.includes(token.name)) return;
        const before = tokens[index - 1];
        const defined = before?.type === 'name' && ['def', 'class', 'import'].includes(before.name);
        if (defined || !isMark(tokens[index + 1], '(')) return;
        found.push(resolveCall(parser.callAt(index), constants));
      });
      return found;
    },
    place: ([index, name, ...rest]) => {
      const call = found[Number(index ?? 0)];
      const path = [name, ...rest].filter((part) => part !== undefined).join('.');
      const offset = name === undefined ? call?.offset : (call?.offsets[String(name)] ?? call?.offset);
      return pythonPlace(text, offset ?? 0, file, path);
    },
  };
}

/** `NAME = "text"` at the beginning of a line, where the file says it once. */
function constantsOf(parser: PythonParser, tokens: PythonToken[]): Map<string, PythonValue> {
  const constants = new Map<string, PythonValue>();
  tokens.forEach((token, index) => {
    if (token.type !== 'name' || token.column !== 0 || !isMark(tokens[index + 1], '=')) return;
    if (isMark(tokens[index + 2], '=')) return;
    const value = constants.has(token.name) ? new PythonComputed(token.name) : parser.valueAt(index + 2);
    constants.set(token.name, value);
  });
  return constants;
}

function resolveCall(call: PythonCall, constants: Map<string, PythonValue>): PythonCall {
  const named = Object.entries(call.named).map(([key, value]) => [key, resolve(value, constants)]);
  const positional = call.positional.map((value) => resolve(value, constants));
  return new PythonCall({ ...call, positional, named: Object.fromEntries(named) });
}

function resolve(value: PythonValue, constants: Map<string, PythonValue>, depth = 0): PythonValue {
  if (Array.isArray(value)) return value.map((item) => resolve(item, constants, depth));
  if (!(value instanceof PythonName) || depth > MAX_STEPS) return value;
  const known = constants.get(value.name);
  return known === undefined ? value : resolve(known, constants, depth + 1);
}
