import type { z } from 'zod';
import { Problem } from '../../core/problem.ts';
import { parseStrictJson } from '../formats/in/strict-json.ts';

/** Where a line stands, and what to do about a bad one. */
export interface LinePlace {
  file: string;
  /** From 1. */
  line: number;
  code: string;
  remedy: string;
}

/** Reads one line of JSON by its schema. @throws Problem with file, line and key. */
export function readJsonLine<Schema extends z.ZodType>(
  text: string,
  schema: Schema,
  { file, line, code, remedy }: LinePlace,
): z.infer<Schema> {
  const fail = (message: string, path = '') =>
    new Problem(code, `${file}:${line}:1 ${message}`, {
      remedy,
      at: [{ file, line, column: 1, ...(path && { path }) }],
    });
  const json = parseStrictJson(text);
  if ('fault' in json) throw fail(`is ${json.fault}`);
  const parsed = schema.safeParse(json.value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.path.join('.') ?? '';
  throw fail(`${path}: ${issue?.message ?? 'is not valid'}`, path);
}
