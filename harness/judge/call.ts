import { type Judge, MOST_OUTPUT_TOKENS } from '../../core/judge.ts';
import type { Problem } from '../../core/problem.ts';
import type { SampleContent } from '../../core/sample.ts';
import type { CallReceipt, Outcome } from '../../core/verdict.ts';
import type { Ceiling } from '../provider/ceiling.ts';
import type { Flow } from '../provider/flow.ts';
import type { Pricer } from '../provider/price.ts';
import type { Completion, CompletionRequest, FailureClass, Message, Provider } from '../provider/provider.ts';
import { type Next, nextStep } from '../provider/retry.ts';
import type { Sleep } from '../provider/sleep.ts';
import type { Attempt } from './ledger.ts';
import { failedOutcome, type Judged, judgeAnswer, unscored } from './outcome.ts';
import { reaskText } from './prompt.ts';
import type { Question } from './questions.ts';
import { QUARANTINE, type Source } from './source.ts';
import { stopAfter } from './stop.ts';

/** What all calls of a run share. */
export interface CallContext {
  judge: Judge;
  provider: Provider;
  price: Pricer;
  ceiling: Ceiling;
  flow: Flow;
  source: Source;
  now: () => number;
  random: () => number;
  sleep: Sleep;
  /** Nothing new is sent once it fires. */
  stop: AbortSignal;
  /** Calls in flight are given up once it fires. */
  cutoff: AbortSignal;
}

/** What one call came to. `outcomes` = one a criterion of its question. */
export interface CallResult {
  outcomes: Outcome[];
  /** The provider gave its answer: asking again is not called for. */
  final: boolean;
  served_model: string | null;
  fingerprint: string | null;
}

/** Writes down each attempt: before it is sent, and when it has ended. `result` is null until the call's last attempt. */
export interface AttemptLog {
  /** @returns the attempt's id, or null where it must not be sent: the run is ending. */
  open(attempt: Attempt): Promise<number | null>;
  close(attempt: number, receipt: CallReceipt, result: CallResult | null): Promise<void>;
}

/** How a call ended for the run: nothing was sent for it, or it was recorded, perhaps with a reason to stop the run. */
export type CallEnd = { end: 'unsent' } | { end: 'recorded'; result: CallResult; stop: Problem | null };

/**
 * Makes one planned call: sends it, sends it again where that is safe, once with twice the tokens where it was cut off,
 * and asks once more where its quotes do not hold. An answer that counts for one criterion is never replaced by a later
 * one.
 * @param heard the first attempt, where it was sent and answered by other means.
 */
export async function judgeCall(
  question: Question,
  content: SampleContent,
  context: CallContext,
  log: AttemptLog,
  repeat: number,
  heard: Sent | null = null,
): Promise<CallEnd> {
  const { judge } = context;
  const messages: Message[] = [{ role: 'user', text: question.prompt.user(content) }];
  let standing: Outcome[] = [];
  let tokens = judge.params.max_output_tokens;
  let reasks = judge.evidence.reask;
  let early = heard;
  if (heard?.completion.status === 'answered' && heard.stop !== null) context.source.distrust();
  for (;;) {
    const sent = early ?? (await send(requestOf(question, messages, judge, repeat, tokens), context, log));
    early = null;
    if (sent === null) return { end: 'unsent' };
    const { completion, attempt, receipt, stop } = sent;
    const judged = judgeSent(sent, question, content, context, tokens);
    const outcomes = judged.outcomes.map((outcome, index) => settled(standing[index]) ?? outcome);
    const answered = completion.status === 'answered' && judged.trusted;
    const longer = answered && completion.finish === 'length' ? twice(tokens, judge) : null;
    const again =
      longer !== null ||
      (judged.faults.length > 0 && outcomes.some(({ outcome }) => outcome === 'unsupported') && reasks > 0);
    if (again && answered && !context.stop.aborted) {
      await log.close(attempt, receipt, null);
      if (longer !== null) tokens = longer;
      else {
        reasks--;
        standing = outcomes;
        messages.push(
          { role: 'assistant', text: completion.text },
          { role: 'user', text: reaskText(judged.faults) },
        );
      }
      continue;
    }
    const { served_model, fingerprint } = receipt;
    const final = !again && stop === null && outcomes.every(({ outcome }) => !PASSING.has(outcome));
    const result = { outcomes, final, served_model, fingerprint };
    await log.close(attempt, receipt, result);
    return { end: 'recorded', result, stop };
  }
}

/** Twice the judge's token limit, as far as any judge may go; null where that was given already. */
function twice(tokens: number, { params: { max_output_tokens: own } }: Judge): number | null {
  return tokens > own || own === MOST_OUTPUT_TOKENS ? null : Math.min(2 * own, MOST_OUTPUT_TOKENS);
}

/** Outcomes of the wire, not of the judge: a later run asks again. */
const PASSING: ReadonlySet<Outcome['outcome']> = new Set(['provider_error', 'unknown', 'stopped']);

function settled(outcome: Outcome | undefined): Outcome | undefined {
  return outcome?.outcome === 'unsupported' ? undefined : outcome;
}

/** The request of one turn of a call. */
export function requestOf(
  { prompt, output }: Question,
  messages: readonly Message[],
  judge: Judge,
  repeat: number,
  tokens: number,
): CompletionRequest {
  const params = { ...judge.params, max_output_tokens: tokens };
  return { model: judge.model, system: prompt.system, messages, params, output, repeat };
}

/** `trusted` = it was the pinned model that answered, and had been until then. */
function judgeSent(
  { completion, stop }: Sent,
  { ask }: Question,
  content: SampleContent,
  { judge, source }: CallContext,
  tokens: number,
): Judged & { trusted: boolean } {
  const all = (outcome: Outcome) => ({
    outcomes: ask.criteria.map(() => outcome),
    faults: [],
    trusted: false,
  });
  if (completion.status === 'failed') {
    const unwilling = tokens > judge.params.max_output_tokens && REFUSES_MORE.has(completion.failure);
    return all(unwilling ? unscored('truncated', CUT_AND_NO_MORE) : failedOutcome(completion));
  }
  if (stop !== null) return all(unscored('provider_error', stop.message));
  if (!source.trusts(completion)) return all(unscored('provider_error', QUARANTINE));
  return { ...judgeAnswer(completion, judge.output, ask, content), trusted: true };
}

/** How a model says that it gives no reply of twice the length. */
const REFUSES_MORE: ReadonlySet<FailureClass> = new Set(['unsupported', 'bad_request', 'too_long']);
const CUT_AND_NO_MORE = 'the reply was cut off at the token limit, and the model takes no higher one';

/** An attempt that has ended, before it is written down. */
export interface Sent {
  attempt: number;
  completion: Completion;
  receipt: CallReceipt;
  next: Next;
  stop: Problem | null;
}

/** Sends until there is something to keep. Null = the run was stopped before anything was sent again. */
async function send(request: CompletionRequest, context: CallContext, log: AttemptLog): Promise<Sent | null> {
  let waited = 0;
  for (let tries = 1; ; tries++) {
    const sent = await attempt(request, context, log, (completion) =>
      nextStep(completion, tries, waited, context.random),
    );
    if (sent === null || sent.stop !== null || sent.next.do !== 'retry') return sent;
    await log.close(sent.attempt, sent.receipt, null);
    waited += sent.next.waitMs;
    if (!sent.next.shared) await context.sleep(sent.next.waitMs, context.stop);
  }
}

/** Writes one attempt down, sends it when its turn has come, and hears it out. Null = stopped before it was sent. */
async function attempt(
  request: CompletionRequest,
  { judge, flow, provider, stop: stopped, cutoff, now, price, ceiling, source }: CallContext,
  log: AttemptLog,
  decide: (completion: Completion) => Next,
): Promise<Sent | null> {
  const turn = await flow.enter(stopped);
  if (turn === null) return null;
  try {
    const id = await log.open({
      turn: (request.messages.length + 1) / 2,
      max_output_tokens: request.params.max_output_tokens,
      ceiling_usd: ceiling(request),
    });
    if (id === null) return null;
    if (!(await turn.begin())) {
      await log.close(id, NEVER_SENT, null);
      return null;
    }
    const started = now();
    const completion = await provider.complete(request, cutoff);
    const receipt = receiptOf(completion, now() - started, price);
    const next = decide(completion);
    const { broken } = turn.heard(completion);
    const grown = request.params.max_output_tokens > judge.params.max_output_tokens;
    const stop = stopAfter({ completion, next, broken, grown }, judge, provider.simulated, now());
    if (stop !== null && completion.status === 'answered') source.distrust();
    // Before the place is free, so that nobody is sent on what is known to be vain.
    if (stop !== null) flow.shut();
    else if (next.do === 'retry' && next.shared) flow.hold(next.waitMs);
    return { attempt: id, completion, receipt, next, stop };
  } finally {
    turn.leave();
  }
}

/** Of a call that was written down and, the run being stopped, not sent: the one receipt that knows of no token. */
export const NEVER_SENT: CallReceipt = {
  usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cacheWriteHour: 0, reasoning: 0 },
  cost_usd: 0,
  served_model: null,
  fingerprint: null,
  request_id: null,
  ms: 0,
  lost: false,
  raw: null,
};

/** Longest reply that is kept, characters. */
const LONGEST_RAW = 65_536;

/** What a completion used and cost. @param ms how long it took. */
export function receiptOf(completion: Completion, ms: number, price: Pricer): CallReceipt {
  const answered = completion.status === 'answered' ? completion : null;
  const usage = answered?.usage ?? null;
  return {
    usage,
    // A refusal before any work costs nothing; what was sent and not heard of has no known cost.
    cost_usd: completion.status === 'failed' && !completion.maybeBilled ? 0 : price(usage),
    served_model: answered?.servedModel ?? null,
    fingerprint: answered?.fingerprint ?? null,
    request_id: completion.requestId,
    ms: Math.max(0, ms),
    lost: completion.status === 'failed' && failedOutcome(completion).outcome === 'unknown',
    raw: completion.raw?.slice(0, LONGEST_RAW) ?? null,
  };
}
