import { z } from 'zod';
import { ProviderName } from './judge.ts';
import { Slug, VersionRef } from './rubric.ts';
import { SampleId } from './sample.ts';

/** First line of `recordings/<name>.jsonl`: whose replies these are. */
export const RecordingHeader = z.strictObject({
  recording: Slug,
  judge: VersionRef,
  judge_hash: z.string(),
  dataset: z.string(),
  /** Whose wire format the replies have. */
  provider: ProviderName.exclude(['baseline', 'recorded', 'panel']),
  model: z.string(),
  /** The replies came from the provider simulator. */
  simulated: z.boolean(),
  replies: z.number().int().nonnegative(),
  at: z.iso.datetime(),
});
export type RecordingHeader = z.infer<typeof RecordingHeader>;

/** One reply as it came, and the request that it answered. */
export const RecordedReply = z.strictObject({
  /** Hash of the request without the mark that differs from call to call. */
  request: z.string().regex(/^sha256:[0-9a-f]{64}$/),
  /** Which of several equal requests, from 1. */
  repeat: z.number().int().positive(),
  /** How often the model had answered before in the same conversation. */
  turn: z.number().int().nonnegative(),
  sample: SampleId,
  raw: z.string(),
});
export type RecordedReply = z.infer<typeof RecordedReply>;

/** Stored replies that a judge can be run from without a key. */
export interface Recording {
  header: RecordingHeader;
  replies: readonly RecordedReply[];
}

/** What a recorded reply is found by. */
export function replyKey({
  request,
  repeat,
  turn,
}: Pick<RecordedReply, 'request' | 'repeat' | 'turn'>): string {
  return `${request} ${repeat} ${turn}`;
}
