import { contentHash } from '../../core/hash.ts';
import { nativeDigest } from '../digest.ts';
import type { CompletionRequest } from './provider.ts';

/** The line that opens a part of the sample; its mark is drawn anew for each call. */
const MARK = /^\[BEGIN [A-Z0-9 ]+ ([0-9a-f]{16})\]$/m;

/**
 * Hash of what a conversation began with: all that is sent but for the mark, so that the same question of the same
 * sample has the same key in every run.
 */
export function requestKey({ model, system, messages, params, output }: CompletionRequest): string {
  const text = messages[0]?.text ?? '';
  const mark = MARK.exec(text)?.[1];
  const asked = mark === undefined ? text : text.replaceAll(mark, 'mark');
  return contentHash({ model, system, asked, params, output }, nativeDigest);
}
