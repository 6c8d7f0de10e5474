import { hash } from 'node:crypto';
import type { Digest } from '../core/hash.ts';

/** SHA-256 by Node's own crypto: the same value as core's, several times as fast. */
export const nativeDigest: Digest = (text) => hash('sha256', text, 'hex');
