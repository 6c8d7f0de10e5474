import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import canonicalize from 'canonicalize';
import { Problem } from './problem.ts';

/** SHA-256 of UTF-8 text as 64 lower-case hex digits. Node hands in its native one where speed matters. */
export type Digest = (text: string) => string;

export const sha256: Digest = (text) => bytesToHex(nobleSha256(utf8ToBytes(text)));

/** Canonical JSON (RFC 8785) of a plain JSON value; keys whose value is undefined are left out. */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) {
    throw new Problem('not_json', 'a value that JSON cannot hold was about to be hashed', {
      remedy: 'Report this: only strings, finite numbers, booleans, null, lists and objects are hashed.',
    });
  }
  return text;
}

/** `sha256:<hex>` of a value's canonical JSON: the form that files carry. */
export function contentHash(value: unknown, digest: Digest = sha256): string {
  return `sha256:${digest(canonicalJson(value))}`;
}
