/** The deepest nesting that is taken. */
export const MAX_DEPTH = 64;

export type StrictJson = { value: unknown } | { fault: string };

const HOSTILE_KEY = 'a key named __proto__, constructor or prototype';
const HOSTILE = /"(__proto__|constructor|prototype)"\s*:/;

/**
 * JSON.parse that refuses what it would let pass silently: keys that stand twice (it keeps the last), nesting beyond
 * 64, keys that reach an object's prototype, strings with lone surrogates (their hash would change when stored).
 */
export function parseStrictJson(text: string): StrictJson {
  const scanned = scan(text);
  if (scanned.depth > MAX_DEPTH) return { fault: `nested deeper than ${MAX_DEPTH}` };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { fault: `not JSON: ${error instanceof Error ? error.message.slice(0, 160) : String(error)}` };
  }
  if (HOSTILE.test(text)) return { fault: HOSTILE_KEY };
  if (scanned.keys > 0 && scanned.keys !== countKeys(value))
    return { fault: 'a key stands twice in one object' };
  const hidden = text.includes('\\u') ? escapedFault(value) : null;
  if (hidden !== null) return { fault: hidden };
  return { value };
}

const QUOTE = 34;
const BACKSLASH = 92;
const COLON = 58;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;

/** Deepest nesting and number of keys, read off the text without building anything. */
function scan(text: string): { depth: number; keys: number } {
  let [depth, deepest, keys] = [0, 0, 0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at + 1);
    else if (code === COLON) keys++;
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) deepest = Math.max(deepest, ++depth);
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--;
  }
  return { depth: deepest, keys };
}

/** Index of the quote that closes a string. */
export function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
}

function countKeys(value: unknown): number {
  if (Array.isArray(value)) {
    let sum = 0;
    for (const item of value) sum += typeof item === 'object' ? countKeys(item) : 0;
    return sum;
  }
  if (typeof value !== 'object' || value === null) return 0;
  let sum = 0;
  for (const item of Object.values(value)) sum += 1 + (typeof item === 'object' ? countKeys(item) : 0);
  return sum;
}

/** What escapes can hide from a look at the text: half surrogate pairs, keys spelled in escapes. */
function escapedFault(value: unknown): string | null {
  if (typeof value === 'string') return value.isWellFormed() ? null : 'a string with half a surrogate pair';
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, item] of Object.entries(value)) {
    if (!key.isWellFormed()) return 'a key with half a surrogate pair';
    if (HOSTILE.test(`"${key}":`)) return HOSTILE_KEY;
    const inner = escapedFault(item);
    if (inner !== null) return inner;
  }
  return null;
}
