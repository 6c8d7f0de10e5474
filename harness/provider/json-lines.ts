/** The longest line that is read, characters. */
const LONGEST = 8 * 1024 * 1024;

/**
 * The lines of a streamed body, one at a time; empty ones are left out.
 * @throws what the stream throws, and RangeError where a line never ends.
 */
export async function* streamedLines(
  body: ReadableStream<Uint8Array> | null,
): AsyncGenerator<string, undefined> {
  if (body === null) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      const lines = rest.split('\n');
      rest = done ? '' : (lines.pop() ?? '');
      if (rest.length > LONGEST)
        throw new RangeError(`a line of the results is longer than ${LONGEST} characters`);
      for (const line of lines) if (line.trim() !== '') yield line;
      if (done) return;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
