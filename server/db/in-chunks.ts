/** Keys looked up in one statement; SQLite takes 32,766 parameters. */
const CHUNK = 500;

/** The rows of any number of keys, found some hundred keys at a time. */
export function inChunks<Row>(keys: readonly string[], find: (chunk: string[]) => Row[]): Row[] {
  const found: Row[] = [];
  for (let from = 0; from < keys.length; from += CHUNK) found.push(...find(keys.slice(from, from + CHUNK)));
  return found;
}
