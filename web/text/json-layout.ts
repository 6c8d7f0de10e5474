/**
 * Lays JSON out over lines by moving white space only: every digit, escape and repeated key stays as it stands.
 * @returns null where the text is no JSON object or list.
 */
export function layOutJson(text: string): string | null {
  if (!/^\s*[[{]/.test(text)) return null;
  try {
    JSON.parse(text);
  } catch {
    return null;
  }
  let depth = 0;
  const line = () => `\n${'  '.repeat(depth)}`;
  let out = '';
  const tokens = text.match(TOKEN) ?? [];
  tokens.forEach((token, index) => {
    const next = tokens[index + 1];
    if (token === '{' || token === '[') {
      const empty = next === '}' || next === ']';
      if (!empty) depth++;
      out += empty ? token : token + line();
    } else if (token === '}' || token === ']') {
      const empty = tokens[index - 1] === '{' || tokens[index - 1] === '[';
      if (!empty) depth--;
      out += empty ? token : line() + token;
    } else if (token === ',') out += token + line();
    else out += token === ':' ? ': ' : token;
  });
  return out;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gs;
