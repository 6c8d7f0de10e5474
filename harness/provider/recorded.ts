import { type Recording, replyKey } from '../../core/recording.ts';
import { failed } from './failure.ts';
import type { Completion, CompletionRequest, Provider } from './provider.ts';
import { readStored } from './read-stored.ts';
import { requestKey } from './request-key.ts';

/** Answers from a recording, without a key and without a network. A request that it lacks fails; it guesses nothing. */
export function createRecorded(recording: Recording): Provider {
  const replies = new Map(recording.replies.map((reply) => [replyKey(reply), reply.raw]));
  return {
    simulated: recording.header.simulated,
    complete: async (request) => answer(request, recording, replies),
    close: async () => undefined,
  };
}

function answer(
  asked: CompletionRequest,
  { header }: Recording,
  replies: ReadonlyMap<string, string>,
): Completion {
  const turn = asked.messages.filter(({ role }) => role === 'assistant').length;
  const key = replyKey({ request: requestKey(asked), repeat: asked.repeat, turn });
  const file = `recordings/${header.recording}.jsonl`;
  const raw = replies.get(key);
  if (raw === undefined) {
    return failed(
      'bad_request',
      `${file} holds no reply to this request (request, repeat, turn: ${key}); record ${header.judge} again, or ask what it was asked`,
    );
  }
  return (
    readStored(header.provider, raw, asked.output.mode) ??
    failed('bad_shape', `${file} holds what is no reply of ${header.provider} (${key})`, { raw })
  );
}
