import { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { Problem } from '../../../core/problem.ts';
import { type Line, readLines } from './lines.ts';
import { endOfString, parseStrictJson } from './strict-json.ts';

/** One record of a file, or why it can't be read; `line` is where it begins. */
export type SourceRecord = { line: number; bytes: number } & ({ value: unknown } | { fault: string });

export type FileFormat = 'jsonl' | 'json' | 'csv';

/** The format that a file's name says, or null. */
export function formatOfName(name: string): FileFormat | null {
  if (/\.(jsonl|ndjson)$/i.test(name)) return 'jsonl';
  if (/\.json$/i.test(name)) return 'json';
  return /\.(csv|tsv)$/i.test(name) ? 'csv' : null;
}

/** Streams a file's records in batches; memory does not grow with the file. */
export async function* readRecords(
  chunks: AsyncIterable<Uint8Array>,
  format: FileFormat,
): AsyncGenerator<SourceRecord[]> {
  if (format === 'jsonl') yield* readJsonLines(chunks);
  else if (format === 'json') yield* readJsonArray(chunks);
  else yield* readCsv(chunks);
}

async function* readJsonLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<SourceRecord[]> {
  for await (const lines of readLines(chunks)) {
    const records: SourceRecord[] = [];
    for (const line of lines) {
      if ('fault' in line) records.push({ line: line.number, bytes: line.bytes, fault: line.fault });
      else if (line.text.trim() !== '')
        records.push({ line: line.number, bytes: line.bytes, ...parseStrictJson(line.text) });
    }
    if (records.length > 0) yield records;
  }
}

/** The elements of a JSON array, cut out of the text one by one; a single object counts as an array of one. */
async function* readJsonArray(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<SourceRecord[]> {
  const cutter = new ElementCutter();
  for await (const lines of readLines(chunks)) {
    const records: SourceRecord[] = [];
    for (const line of lines) records.push(...cutter.feed(line));
    if (records.length > 0) yield records;
  }
  const left = cutter.end();
  if (left !== null) yield [left];
}

class ElementCutter {
  #depth = 0;
  #base: number | null = null;
  #text = '';
  #start = 1;
  #bytes = 0;

  feed(line: Line): SourceRecord[] {
    this.#bytes = line.bytes;
    if ('fault' in line) {
      throw new Problem('bad_json', `line ${line.number}: ${line.fault}`, {
        remedy: 'Mend the file, or save it as JSONL, one record a line.',
      });
    }
    const done: SourceRecord[] = [];
    const { text } = line;
    let from = 0;
    for (let at = 0; at < text.length; at++) {
      const char = text[at];
      if (this.#base === null) {
        if (char === '[') this.#base = 1;
        else if (char === '{') this.#base = 0;
        else if (char !== undefined && char.trim() !== '') throw notAnArray(line.number);
        if (this.#base === 1) {
          this.#depth = 1;
          from = at + 1;
          continue;
        }
      }
      if (char === '"') at = endOfString(text, at + 1);
      else if (char === '{' || char === '[') {
        if (this.#depth === this.#base) {
          this.#start = line.number;
          this.#text = '';
          from = at;
        }
        this.#depth++;
      } else if (char === '}' || char === ']') {
        this.#depth--;
        if (this.#depth === this.#base) {
          done.push({
            line: this.#start,
            bytes: this.#bytes,
            ...parseStrictJson(this.#text + text.slice(from, at + 1)),
          });
          this.#text = '';
          from = at + 1;
        }
      }
    }
    if (this.#base !== null && this.#depth > this.#base) this.#text += `${text.slice(from)}\n`;
    return done;
  }

  end(): SourceRecord | null {
    const open = this.#base !== null && this.#depth > this.#base;
    return open ? { line: this.#start, bytes: this.#bytes, fault: 'the file ends inside this record' } : null;
  }
}

function notAnArray(line: number): Problem {
  return new Problem('not_an_array', `line ${line}: a .json file holds an array of records, or one record`, {
    remedy: 'Save the records as a JSON array or as JSONL, one record a line.',
  });
}

/** CSV after RFC 4180 with a header line; the delimiter is the comma, semicolon or tab that the header has most of. */
async function* readCsv(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<SourceRecord[]> {
  const iterator = chunks[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done === true) return;
  let bytes = 0;
  async function* all(): AsyncGenerator<Uint8Array> {
    bytes += first.value.byteLength;
    yield first.value;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
      bytes += next.value.byteLength;
      yield next.value;
    }
  }
  const parser = Readable.from(all()).pipe(
    parse({
      columns: uniqueHeader,
      bom: true,
      delimiter: delimiterOf(first.value),
      info: true,
      skip_empty_lines: true,
      relax_column_count: true,
    }),
  );
  try {
    for await (const { record, info } of parser) {
      const wrong = info.error?.message;
      yield [
        wrong === undefined
          ? { line: info.lines, bytes, value: record }
          : { line: info.lines, bytes, fault: wrong },
      ];
    }
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw new Problem('bad_csv', error instanceof Error ? error.message : String(error), {
      remedy: 'Mend the row that is named, or save the file as JSONL.',
    });
  }
}

function uniqueHeader(names: string[]): string[] {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return names;
  throw new Problem('bad_csv', `the header names the column "${twice}" twice`, {
    remedy: 'Give each column its own name.',
  });
}

function delimiterOf(chunk: Uint8Array): string {
  const text = new TextDecoder().decode(chunk.subarray(0, 64 * 1024));
  const [head = ''] = text.split(/\r?\n/, 1);
  const counts = [',', ';', '\t'].map((delimiter) => ({ delimiter, n: head.split(delimiter).length }));
  return counts.reduce((best, one) => (one.n > best.n ? one : best)).delimiter;
}
