import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { z } from 'zod';

let warned = false;

/** Where the public data sets are: TOUCHSTONE_DATA, else beside the repository; null, said once and loudly, without. */
export function dataDir(): string | null {
  const beside = fileURLToPath(new URL('../../shared/data', import.meta.url));
  const directory = process.env.TOUCHSTONE_DATA ?? beside;
  if (existsSync(directory)) return directory;
  if (!warned) console.warn('SKIPPED: public data not found; set TOUCHSTONE_DATA');
  warned = true;
  return null;
}

/** A JSON file of the public data, read by a schema; throws without the data. */
export function readData<T>(path: string, schema: z.ZodType<T>): T {
  return schema.parse(JSON.parse(dataText(path)));
}

/** The rows of a JSONL file of the public data. */
export function readRows<T>(path: string, schema: z.ZodType<T>): T[] {
  const lines = dataText(path).split('\n');
  return lines.filter((line) => line !== '').map((line) => schema.parse(JSON.parse(line)));
}

function dataText(path: string): string {
  const directory = dataDir();
  if (directory === null) throw new Error('public data not found');
  return readFileSync(join(directory, path), 'utf8');
}
