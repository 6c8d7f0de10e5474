/** Strings, brackets, separators and bare words of a JSON text. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s"{}[\]:,]+/gs;

/**
 * The first key that stands twice in one object of a valid JSON text, or null. `JSON.parse` would keep the last one
 * in silence.
 */
export function duplicateKey(json: string): string | null {
  const open: (Set<string> | null)[] = [];
  let last = '';
  for (const [token] of json.matchAll(TOKENS)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(null);
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':') {
      const keys = open.at(-1);
      const key: unknown = JSON.parse(last);
      if (keys && typeof key === 'string') {
        if (keys.has(key)) return key;
        keys.add(key);
      }
    }
    last = token;
  }
  return null;
}
