import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FileFormat, readRecords, type SourceRecord } from '../../../harness/formats/in/records.ts';
import { parseStrictJson } from '../../../harness/formats/in/strict-json.ts';

async function read(text: string | Buffer, format: FileFormat, chunk = 7): Promise<SourceRecord[]> {
  const bytes = Buffer.from(text);
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += chunk) yield bytes.subarray(at, at + chunk);
  }
  const records: SourceRecord[] = [];
  for await (const batch of readRecords(chunks(), format)) records.push(...batch);
  return records;
}

const values = (records: SourceRecord[]) =>
  records.map((record) => ('value' in record ? record.value : record.fault));

describe('JSONL', () => {
  it('takes LF, CRLF and lone CR line ends, blank lines and a missing last newline', async () => {
    expect(values(await read('{"a":1}\n\n{"a":2}\r\n{"a":3}\r{"a":4}', 'jsonl'))).toEqual([
      { a: 1 },
      { a: 2 },
      { a: 3 },
      { a: 4 },
    ]);
  });

  it('drops a byte order mark', async () => {
    expect(values(await read('\ufeff{"a":1}\n', 'jsonl'))).toEqual([{ a: 1 }]);
  });

  it('refuses UTF-16 and names it', async () => {
    await expect(read(Buffer.from('{"a":1}\n', 'utf16le'), 'jsonl')).rejects.toThrow('UTF-16');
  });

  it('tells a bad row with its line and reads on', async () => {
    const records = await read('{"a":1}\n{"a":\n{"a":3}\n', 'jsonl');
    expect(records.map(({ line }) => line)).toEqual([1, 2, 3]);
    expect(values(records)).toEqual([{ a: 1 }, expect.stringContaining('not JSON'), { a: 3 }]);
  });

  it('tells an invalid UTF-8 byte with its place, never as U+FFFD', async () => {
    const bytes = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xe9]), Buffer.from('"}\n{"a":2}\n')]);
    expect(values(await read(bytes, 'jsonl'))).toEqual([
      expect.stringMatching(/not UTF-8 at byte \d of the line/),
      { a: 2 },
    ]);
  });

  it('keeps memory bounded on a line without end', async () => {
    async function* endless() {
      const block = Buffer.alloc(1 << 20, 0x61);
      for (let i = 0; i < 40; i++) yield block;
      yield Buffer.from('\n{"a":1}\n');
    }
    const records: SourceRecord[] = [];
    for await (const batch of readRecords(endless(), 'jsonl')) records.push(...batch);
    expect(values(records)).toEqual([expect.stringContaining('longer than 8388608 bytes'), { a: 1 }]);
  });

  it('gives back whatever JSON was written, however the bytes are cut', async () => {
    const row = fc
      .dictionary(fc.string({ unit: 'binary' }), fc.jsonValue())
      .filter((one) => !/__proto__|constructor|prototype/.test(JSON.stringify(one)));
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 40 }),
        async (rows, chunk) => {
          const text = rows.map((one) => JSON.stringify(one)).join('\n');
          expect(values(await read(text, 'jsonl', chunk))).toEqual(JSON.parse(JSON.stringify(rows)));
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('strict JSON', () => {
  it.each([
    ['a key that stands twice', '{"score":1,"score":5}', 'stands twice'],
    ['a key that stands twice deep down', '{"a":[{"b":1,"b":1}]}', 'stands twice'],
    ['nesting beyond 64', `${'['.repeat(65)}${']'.repeat(65)}`, 'nested deeper than 64'],
    ['nesting that would overflow a stack', '['.repeat(200_000), 'nested deeper than 64'],
    ['a key of the prototype', '{"a":{"__proto__":{"x":1}}}', '__proto__'],
    ['a key of the prototype spelled in escapes', '{"\\u005f_proto__":1}', '__proto__'],
    ['NaN', '{"score":NaN}', 'not JSON'],
    ['half a surrogate pair', '{"a":"\\ud800"}', 'surrogate'],
  ])('refuses %s', (_, text, why) => {
    expect(parseStrictJson(text)).toEqual({ fault: expect.stringContaining(why) });
  });

  it('takes colons, quotes and braces inside strings for what they are', () => {
    expect(parseStrictJson('{"a":"x: {\\"b\\": 1}","c":"\\\\"}')).toEqual({
      value: { a: 'x: {"b": 1}', c: '\\' },
    });
  });

  it('leaves Object untouched', () => {
    parseStrictJson('{"__proto__":{"polluted":true}}');
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });
});

describe('JSON', () => {
  it('streams the elements of an array', async () => {
    const records = await read('[\n  {"a": "]"},\n  {"a": [1, {"b": 2}]}\n]\n', 'json');
    expect(values(records)).toEqual([{ a: ']' }, { a: [1, { b: 2 }] }]);
    expect(records.map(({ line }) => line)).toEqual([2, 3]);
  });

  it('takes a single object', async () => {
    expect(values(await read('{"a": 1,\n "b": 2}', 'json'))).toEqual([{ a: 1, b: 2 }]);
  });

  it('tells an element that the file ends in', async () => {
    expect(values(await read('[{"a":1},{"a":', 'json'))).toEqual([
      { a: 1 },
      expect.stringContaining('ends inside'),
    ]);
  });

  it('refuses what is neither', async () => {
    await expect(read('"text"', 'json')).rejects.toThrow('array of records');
  });
});

describe('CSV', () => {
  it('reads quoted newlines and doubled quotes after RFC 4180', async () => {
    expect(values(await read('id,output\n1,"two\nlines, ""quoted"""\n', 'csv'))).toEqual([
      { id: '1', output: 'two\nlines, "quoted"' },
    ]);
  });

  it.each([';', '\t'])('finds the delimiter %j', async (delimiter) => {
    expect(values(await read(`id${delimiter}output\n1${delimiter}x\n`, 'csv', 1000))).toEqual([
      { id: '1', output: 'x' },
    ]);
  });

  it('stores cells that a spreadsheet would execute as they are', async () => {
    expect(values(await read('id,output\n1,=cmd()\n', 'csv'))).toEqual([{ id: '1', output: '=cmd()' }]);
  });

  it('tells a ragged row and reads on', async () => {
    const records = await read('id,output\n1\n2,y\n', 'csv');
    expect(values(records)).toEqual([expect.stringContaining('columns'), { id: '2', output: 'y' }]);
  });

  it('refuses a column that is named twice, and a quote that never closes', async () => {
    await expect(read('id,id\n1,2\n', 'csv')).rejects.toThrow('"id" twice');
    await expect(read('id,output\n1,"x\n', 'csv')).rejects.toThrow(/quote/i);
  });
});
