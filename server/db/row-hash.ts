import { nativeDigest } from '../../harness/digest.ts';

/** Hash over a row's own values in order: tells bit rot that SQLite's page checks can't see. */
export function rowHash(values: readonly (string | number | null | undefined)[]): string {
  return nativeDigest(JSON.stringify(values.map((value) => value ?? null)));
}
