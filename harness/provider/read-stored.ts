import type { RecordingHeader } from '../../core/recording.ts';
import { readAnthropic } from './anthropic-reply.ts';
import { readGoogle } from './google-reply.ts';
import { readOpenAi } from './openai-reply.ts';
import { readOpenAiResponses } from './openai-responses-reply.ts';
import type { Answered, OutputShape } from './provider.ts';
import type { Reader } from './reader.ts';

const READERS: Record<RecordingHeader['provider'], Reader> = {
  openai: readOpenAi,
  'openai-compatible': readOpenAi,
  'openai-responses': readOpenAiResponses,
  anthropic: readAnthropic,
  google: readGoogle,
};

/** Reads a stored reply as it was read when it came; null where it was no answer, or was cut when it was stored. */
export function readStored(
  provider: RecordingHeader['provider'],
  raw: string,
  mode: OutputShape['mode'],
): Answered | null {
  const completion = READERS[provider](raw, mode, { requestId: null, simulator: false, raw });
  return completion?.status === 'answered' ? completion : null;
}
