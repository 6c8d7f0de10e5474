import { z } from 'zod';
import { JsonObject } from '../core/json.ts';
import { Problem } from '../core/problem.ts';
import { VersionRef } from '../core/rubric.ts';
import { Sample } from '../core/sample.ts';
import { JudgeName, Outcome, PairOrder } from '../core/verdict.ts';
import { rebuildRequest } from '../harness/judge/rebuild-request.ts';
import { type LoadedJudge, loadJudge } from '../harness/workspace/judges.ts';
import { PastAttempt } from './db/attempts.ts';
import type { FoundVerdict } from './db/verdicts.ts';
import { fewShots } from './judge-inputs.ts';
import type { Services } from './services.ts';

/** Why a call was sent at this time. */
export const AttemptWhy = z.enum([
  'not_sent',
  'first',
  'sent_again',
  'asked_again',
  'longer',
  'unheard',
  'resumed',
]);
export type AttemptWhy = z.infer<typeof AttemptWhy>;

/** The request as it was sent, or why it can't be shown. */
const RequestView = z.discriminatedUnion('shown', [
  z.strictObject({
    shown: z.literal('rebuilt'),
    system: z.string(),
    user: z.string(),
    /** Stands in `user` where the call had a mark of its own. */
    mark: z.string(),
    output: z.strictObject({ mode: z.enum(['structured', 'tool', 'text']), schema: JsonObject }),
    examples: z.number().int(),
  }),
  z.strictObject({ shown: z.literal('none'), why: z.string() }),
]);
type RequestView = z.infer<typeof RequestView>;

/** All that is known of how one verdict came about. */
export const VerdictStory = z.strictObject({
  id: z.number().int(),
  /** What stands in its place: itself, or a later verdict. */
  stands: z.number().int(),
  dataset: z.string(),
  sample: Sample,
  judge: JudgeName,
  judge_hash: z.string(),
  simulated: z.boolean(),
  /** Null where the judge's file is not to be had any more, or never was. */
  rubric: VersionRef.nullable(),
  criterion: z.string(),
  /** The criterion's question and the anchor of the level that was chosen, from the very rubric; null where it is not to be had. */
  question: z.string().nullable(),
  anchor: z.string().nullable(),
  order: PairOrder.nullable(),
  repeat: z.number().int(),
  result: Outcome,
  served_model: z.string().nullable(),
  fingerprint: z.string().nullable(),
  at: z.string(),
  /** Null = it came with a file, or from a panel. */
  run: z.string().nullable(),
  attempts: z.array(PastAttempt.extend({ why: AttemptWhy })),
  request: RequestView,
});
export type VerdictStory = z.infer<typeof VerdictStory>;

/** Tells how a verdict came about: request, every sending, reply, outcome. */
export function tellVerdict(services: Services, found: FoundVerdict): VerdictStory {
  const { store } = services;
  const sample = store.samples.bySeq([found.seq]).get(found.seq);
  if (sample === undefined) throw new Error(`verdict ${found.id} is about a sample that is not there`);
  const { call, judge, result } = found;
  const loaded = judgeOf(services, found);
  const version = 'judge' in loaded ? loaded : null;
  const criterion = version?.rubric.criteria.find(({ id }) => id === found.criterion);
  const level =
    result.outcome === 'scored' ? criterion?.levels.find(({ value }) => value === result.value) : undefined;
  return {
    id: found.id,
    stands: found.stands,
    dataset: found.dataset,
    sample: { ...sample, origin: { ...sample.origin, metadata: {} } },
    judge: JudgeName.parse(judge.name),
    judge_hash: judge.hash,
    simulated: judge.simulated,
    rubric: version?.judge.rubric ?? null,
    criterion: found.criterion,
    question: criterion?.question ?? null,
    anchor: level?.anchor ?? null,
    order: found.order,
    repeat: found.repeat,
    result,
    served_model: found.served_model,
    fingerprint: found.fingerprint,
    at: found.at,
    run: call?.run ?? null,
    attempts: call === null ? [] : explained(store.attempts.ofCall(call.key)),
    request:
      call === null
        ? untold(
            !('why' in loaded) && loaded.judge.provider === 'panel'
              ? 'A panel asks nobody: its verdict is what its members’ verdicts came to.'
              : 'This verdict came with a file: what its judge was asked is not known here.',
          )
        : result.outcome === 'trivial'
          ? untold('No model was asked: the answer is none.')
          : 'why' in loaded
            ? untold(loaded.why)
            : requestOf(services, loaded, sample, call.key),
  };
}

/** The judge version of a verdict, as long as its files are what they were. */
function judgeOf({ workspace, store }: Services, { judge }: FoundVerdict): LoadedJudge | { why: string } {
  if (judge.hash === 'foreign') return { why: 'The judge is not one of this workspace.' };
  try {
    const loaded = loadJudge(
      workspace,
      judge.name,
      (id) => store.samples.find(id)?.sample.content_hash ?? null,
    );
    if (loaded.hash === judge.hash) return loaded;
    return {
      why: `${judge.name} was ${judge.hash} then and is ${loaded.hash} now: its file, rubric, prompt or few-shots changed, so that the request can’t be rendered again.`,
    };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { why: `The request can’t be rendered again: ${error.message}.` };
  }
}

function requestOf({ store }: Services, loaded: LoadedJudge, sample: Sample, key: string): RequestView {
  if (loaded.judge.provider === 'baseline') return untold('A baseline is a rule: no model was asked.');
  try {
    const examples = fewShots(store, loaded);
    const rebuilt = rebuildRequest({ resolved: loaded, fit: null, examples, sample, key });
    if (rebuilt === null)
      return untold('Something that this call depended on has changed since: it can’t be rendered again.');
    const { output, ...texts } = rebuilt;
    return { shown: 'rebuilt', ...texts, output: { mode: output.mode, schema: output.schema } };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return untold(`The request can’t be rendered again: ${error.message}.`);
  }
}

function untold(why: string): RequestView {
  return { shown: 'none', why };
}

/** Says of each sending why it was made. */
function explained(attempts: readonly PastAttempt[]): VerdictStory['attempts'] {
  return attempts.map((attempt, index) => ({ ...attempt, why: whyAfter(attempts[index - 1], attempt) }));
}

/** What is final without a reply was decided here: by a baseline's rule, or because the answer is none. */
function whyAfter(
  before: PastAttempt | undefined,
  { turn, max_output_tokens: tokens, final, receipt }: PastAttempt,
): AttemptWhy {
  if (final && receipt?.raw === null) return 'not_sent';
  if (before === undefined) return 'first';
  if (before.receipt === null || before.receipt.lost) return 'unheard';
  if (turn > before.turn) return 'asked_again';
  if (tokens !== null && before.max_output_tokens !== null && tokens > before.max_output_tokens)
    return 'longer';
  return before.verdicts.length > 0 || turn < before.turn ? 'resumed' : 'sent_again';
}
