import { isUtf8 } from 'node:buffer';
import { Problem } from '../../../core/problem.ts';

/** The longest line that is taken, bytes. */
export const MAX_LINE = 8 * 1024 * 1024;

/** One line of a text file, or why it can't be read. `bytes` counts what was read of the file so far. */
export type Line = { number: number; bytes: number } & ({ text: string } | { fault: string });

const LF = 10;
const CR = 13;

/**
 * Splits a UTF-8 byte stream into lines at LF, CRLF or lone CR; a byte order mark is dropped; memory stays bounded.
 * A line that is too long or not UTF-8 is yielded as a fault, and reading goes on behind it.
 * @throws Problem `wrong_encoding` for UTF-16, which would make every line a fault.
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line[]> {
  let rest: Buffer = Buffer.alloc(0);
  let number = 0;
  let bytes = 0;
  let skipping = false;
  let atStart = true;
  for await (const chunk of chunks) {
    let data = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    if (atStart) {
      data = startOf(data);
      atStart = false;
    }
    bytes += chunk.byteLength;
    const joined = rest.length === 0 ? data : Buffer.concat([rest, data]);
    const found: Line[] = [];
    let from = 0;
    for (let end = endOfLine(joined, from); end !== null; end = endOfLine(joined, from)) {
      number++;
      const line = joined.subarray(from, end.at);
      if (skipping) found.push({ number, bytes, fault: `longer than ${MAX_LINE} bytes` });
      else if (line.length > 0) found.push(decode(line, number, bytes));
      skipping = false;
      from = end.next;
    }
    rest = joined.subarray(from);
    if (rest.length > MAX_LINE) {
      skipping = true;
      rest = Buffer.alloc(0);
    }
    if (found.length > 0) yield found;
  }
  const last = rest.at(-1) === CR ? rest.subarray(0, -1) : rest;
  if (skipping) yield [{ number: number + 1, bytes, fault: `longer than ${MAX_LINE} bytes` }];
  else if (last.length > 0) yield [decode(last, number + 1, bytes)];
}

function startOf(data: Buffer): Buffer {
  if (
    (data[0] === 0xff && data[1] === 0xfe) ||
    (data[0] === 0xfe && data[1] === 0xff) ||
    (data[1] === 0 && data[3] === 0)
  ) {
    throw new Problem('wrong_encoding', 'the file is UTF-16', {
      remedy: 'Save it as UTF-8 and import it again.',
    });
  }
  return data[0] === 0xef && data[1] === 0xbb && data[2] === 0xbf ? data.subarray(3) : data;
}

/** The next line end. A CR that ends the buffer waits for what follows it. */
function endOfLine(data: Buffer, from: number): { at: number; next: number } | null {
  const lf = data.indexOf(LF, from);
  const cr = data.subarray(from, lf === -1 ? data.length : lf).indexOf(CR);
  if (cr === -1) return lf === -1 ? null : { at: lf, next: lf + 1 };
  const at = from + cr;
  if (at + 1 === data.length) return null;
  return { at, next: data[at + 1] === LF ? at + 2 : at + 1 };
}

function decode(line: Buffer, number: number, bytes: number): Line {
  if (isUtf8(line)) return { number, bytes, text: line.toString('utf8') };
  return { number, bytes, fault: `not UTF-8 at byte ${firstBadByte(line) + 1} of the line` };
}

function firstBadByte(line: Buffer): number {
  let [good, bad] = [0, line.length];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    const text = line.subarray(0, middle).toString('utf8');
    // a cut inside a character also shows U+FFFD at the end, at most three bytes of it
    if (text.slice(0, -1).includes('\ufffd')) bad = middle;
    else good = middle;
  }
  return Math.max(0, good - 3);
}
