import type { ResolvedJudge } from '../../core/judge.ts';
import { type RecordedReply, type RecordingHeader, replyKey } from '../../core/recording.ts';
import type { Sample } from '../../core/sample.ts';
import { readStored } from '../provider/read-stored.ts';
import type { Redact } from '../provider/redact.ts';
import { requestKey } from '../provider/request-key.ts';
import { requestOf } from './call.ts';
import type { FewShot } from './few-shot.ts';
import { planJudge, planSample } from './plan.ts';
import { createQuestions } from './questions.ts';

/** One reply of a call, as the ledger keeps it. */
export interface StoredReply {
  /** The run in which it came. */
  run: string;
  final: boolean;
  raw: string | null;
  /** From 1: which turn of the conversation it answered. */
  turn: number;
  /** The longest reply that was allowed; null where that was not kept. */
  max_output_tokens: number | null;
}

export interface RecordOptions {
  resolved: ResolvedJudge;
  provider: RecordingHeader['provider'];
  examples: readonly FewShot[];
  samples: Iterable<Sample>;
  /** Replies by the call's key, in the order in which they were sent. */
  stored: (keys: readonly string[]) => ReadonlyMap<string, readonly StoredReply[]>;
  redact: Redact;
}

export interface Recorded {
  replies: RecordedReply[];
  /** Calls that the judge has answered; all their replies are among `replies` unless they are counted below. */
  answered: number;
  /** Calls without a final answer. */
  unanswered: number;
  /** Answered calls whose replies were cut when they were stored. */
  cut: number;
  /** Answered calls that asked word for word what another had asked. */
  doubled: number;
}

/** Draws a recording from stored replies: for each answered call the conversation of the run that answered it. */
export function recordReplies(options: RecordOptions): Recorded {
  const { resolved, provider, examples, samples, stored, redact } = options;
  const plan = planJudge(resolved, null, examples);
  let marks = 0;
  const questions = createQuestions(resolved, examples, () => (marks++).toString(16).padStart(16, '0'));
  const { output: mode } = resolved.judge;
  const recorded: Recorded = { replies: [], answered: 0, unanswered: 0, cut: 0, doubled: 0 };
  const taken = new Set<string>();
  for (const sample of samples) {
    const calls = planSample(plan, sample);
    const known = stored(calls.map(({ planned }) => planned.key));
    for (const { planned, criteria } of calls) {
      const said = conversation(known.get(planned.key) ?? []);
      if (said === null) {
        recorded.unanswered++;
        continue;
      }
      // A void answer was marked without a call.
      if (said.length === 0) continue;
      recorded.answered++;
      const question = questions(criteria, sample.content.kind, planned.order);
      const first = [{ role: 'user' as const, text: question.prompt.user(sample.content) }];
      const requests = new Map<number, string>();
      const requestAt = (tokens: number) => {
        const known = requests.get(tokens);
        if (known !== undefined) return known;
        const made = requestKey(requestOf(question, first, resolved.judge, planned.repeat, tokens));
        requests.set(tokens, made);
        return made;
      };
      const replies = said
        .filter(({ raw }) => readStored(provider, raw, mode) !== null)
        .map(({ raw, turn, max_output_tokens }) => ({
          request: requestAt(max_output_tokens ?? resolved.judge.params.max_output_tokens),
          repeat: planned.repeat,
          turn: turn - 1,
          sample: sample.id,
          raw: redact(raw),
        }));
      const [start] = replies;
      if (start === undefined || readStored(provider, said.at(-1)?.raw ?? '', mode) === null) recorded.cut++;
      else if (taken.has(replyKey(start))) recorded.doubled++;
      else {
        taken.add(replyKey(start));
        recorded.replies.push(...replies);
      }
    }
  }
  return recorded;
}

/** What was said in the run that gave the final answer; null where there is none. */
function conversation(replies: readonly StoredReply[]): (StoredReply & { raw: string })[] | null {
  const last = replies.findLast(({ final }) => final);
  if (last === undefined) return null;
  return replies
    .slice(0, replies.indexOf(last) + 1)
    .flatMap((reply) => (reply.run === last.run && reply.raw !== null ? [{ ...reply, raw: reply.raw }] : []));
}
