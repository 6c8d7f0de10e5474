import { readFileSync } from 'node:fs';
import { isAlias, isMap, isPair, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import type { z } from 'zod';
import { type Place, Problem, placeText } from '../../core/problem.ts';
import { tooDeepAt } from './yaml-depth.ts';

/** The largest text file that is read whole, bytes. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Reads a YAML 1.2 (or JSON) file and checks it against a schema.
 * @param shown how messages name the file: its path in the workspace.
 * @throws Problem `bad_file` that lists every fault with file:line:column, key path and what was expected.
 */
export function readYaml<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  shown: string,
): z.output<Schema> {
  return parseYaml(readText(path, shown), schema, shown);
}

/** Same as readYaml, from text. */
export function parseYaml<Schema extends z.ZodType>(
  text: string,
  schema: Schema,
  shown: string,
): z.output<Schema> {
  const { document, placeAt } = openDocument(text, shown);
  const syntax = [
    ...document.errors,
    ...document.warnings.filter((warning) => warning.code === 'TAG_RESOLVE_FAILED'),
  ];
  if (syntax.length > 0) {
    throw badFile(
      syntax.map((error) => ({ place: placeAt(error.pos[0], ''), message: firstLine(error.message) })),
    );
  }
  if (document.contents === null) throw badFile([{ place: placeAt(0, ''), message: 'the file is empty' }]);
  const hostile = findHostile(document.contents);
  if (hostile !== null)
    throw badFile([{ place: placeAt(hostile.offset, hostile.key), message: hostile.message }]);
  const checked = schema.safeParse(plainValue(() => document.toJS({ maxAliasCount: 50 }), shown));
  if (checked.success) return checked.data;
  throw badFile(
    flatten(checked.error.issues).map((issue) => ({
      place: placeAt(offsetOf(document.contents, issue.path), issue.path.join('.')),
      message: issue.message,
    })),
  );
}

/** Where a key path stands in a text that parseYaml has read; the nearest existing ancestor where it does not exist. */
export function locate(text: string, path: readonly PropertyKey[], shown: string): Place {
  const { document, placeAt } = openDocument(text, shown);
  return placeAt(offsetOf(document.contents, path), path.join('.'));
}

/** Parses without checking. @throws Problem `bad_file` where the text nests too deep to be parsed. */
function openDocument(text: string, shown: string) {
  const lines = new LineCounter();
  const placeAt = (offset: number, path: string): Place => {
    const { line, col } = lines.linePos(offset);
    return { file: shown, line: Math.max(line, 1), column: Math.max(col, 1), ...(path && { path }) };
  };
  const deep = tooDeepAt(text);
  if (deep !== null) {
    const line = text.slice(0, deep).split('\n').length;
    throw badFile([{ place: { file: shown, line }, message: 'nested deeper than 64 levels' }]);
  }
  const document = parseDocument(text, {
    lineCounter: lines,
    version: '1.2',
    schema: 'core',
    uniqueKeys: true,
    strict: true,
  });
  return { document, placeAt };
}

/** The text of a file, whole. @throws Problem where it can't be read, is too large or not UTF-8. */
export function readText(path: string, shown: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw new Problem(
      'no_file',
      `${shown} can't be read: ${error instanceof Error ? error.message : String(error)}`,
      {
        remedy: 'Create the file, or correct the name that points to it.',
        at: [{ file: shown }],
      },
    );
  }
  if (bytes.length > MAX_BYTES) {
    throw new Problem('file_too_large', `${shown} has ${bytes.length} bytes; at most ${MAX_BYTES} are read`, {
      remedy: 'Split the file.',
      at: [{ file: shown }],
    });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Problem('not_utf8', `${shown} is not UTF-8 text`, {
      remedy: 'Save the file as UTF-8.',
      at: [{ file: shown }],
    });
  }
}

/** toJS throws on alias bombs; that is the file's fault, not ours. */
function plainValue(read: () => unknown, shown: string): unknown {
  try {
    return read();
  } catch (error) {
    throw badFile([
      {
        place: { file: shown, line: 1, column: 1 },
        message: error instanceof Error ? error.message : String(error),
      },
    ]);
  }
}

interface Fault {
  place: Place;
  message: string;
}

function badFile(faults: Fault[]): Problem {
  const [first] = faults;
  const head = first === undefined ? 'the file is not valid' : `${placeText(first.place)}: ${first.message}`;
  return new Problem('bad_file', head, {
    remedy: 'Mend the lines named here; the format pages in docs/ describe every key.',
    at: faults.map((fault) => fault.place),
    details: faults.slice(1).map((fault) => `${placeText(fault.place)}: ${fault.message}`),
  });
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? text;
}

type Issue = z.core.$ZodIssue;

/** A union's own message says only "invalid input"; the branch that came closest says what is wrong. */
function flatten(issues: readonly Issue[]): { path: PropertyKey[]; message: string }[] {
  return issues.flatMap((issue) => {
    if (issue.code === 'invalid_union' && issue.errors.length > 0) {
      const depth = (branch: Issue[]) => Math.max(0, ...branch.map((inner) => inner.path.length));
      const closest =
        [...issue.errors].sort((one, other) => depth(other) - depth(one) || one.length - other.length)[0] ??
        [];
      return flatten(closest.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })));
    }
    return [{ path: [...issue.path], message: describe(issue) }];
  });
}

function describe(issue: Issue): string {
  if (issue.code === 'unrecognized_keys')
    return `unknown key ${issue.keys.map((key) => `"${key}"`).join(', ')}`;
  if (issue.code === 'invalid_type' && issue.message.endsWith('received undefined'))
    return `missing: expected ${issue.expected}`;
  return issue.message;
}

/** Where a key path stands in the text; the nearest existing ancestor where it does not exist. */
function offsetOf(root: Node | null, path: readonly PropertyKey[]): number {
  let node: Node | null = root;
  let offset = root?.range?.[0] ?? 0;
  for (const key of path) {
    let next: unknown;
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(key));
      if (pair === undefined) return offset;
      offset = (isScalar(pair.key) ? pair.key.range?.[0] : undefined) ?? offset;
      next = pair.value;
    } else if (isSeq(node)) {
      next = node.items[Number(key)];
      if (next === undefined) return offset;
    }
    if (!isNode(next)) return offset;
    node = next;
    offset = node.range?.[0] ?? offset;
  }
  return offset;
}

function isNode(value: unknown): value is Node {
  return isMap(value) || isSeq(value) || isScalar(value) || isAlias(value);
}

interface Hostile {
  key: string;
  offset: number;
  message: string;
}

/** Keys that would reach an object's prototype, and texts that can't be stored as they are; wherever they stand. */
function findHostile(node: unknown): Hostile | null {
  if (isScalar(node) && typeof node.value === 'string' && !node.value.isWellFormed())
    return { key: '', offset: node.range?.[0] ?? 0, message: 'a text with half a surrogate pair' };
  if (isMap(node)) {
    for (const item of node.items) {
      if (isPair(item) && isScalar(item.key)) {
        const key = String(item.key.value);
        if (key === '__proto__' || key === 'constructor' || key === 'prototype')
          return { key, offset: item.key.range?.[0] ?? 0, message: `the key "${key}" is not allowed` };
      }
      const inner = findHostile(item.key) ?? findHostile(item.value);
      if (inner !== null) return inner;
    }
  }
  if (isSeq(node)) {
    for (const item of node.items) {
      const inner = findHostile(item);
      if (inner !== null) return inner;
    }
  }
  return null;
}
