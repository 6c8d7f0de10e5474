import type { Judge } from '../../core/judge.ts';
import type { Problem } from '../../core/problem.ts';
import type { SampleContent } from '../../core/sample.ts';
import type { CallReceipt, Outcome } from '../../core/verdict.ts';
import type { Ceiling } from '../provider/ceiling.ts';
import type { Pause } from '../provider/pause.ts';
import type { Pricer } from '../provider/price.ts';
import type { Completion, CompletionRequest, Message, Provider } from '../provider/provider.ts';
import { type Next, nextStep } from '../provider/retry.ts';
import type { Sleep } from '../provider/sleep.ts';
import type { Attempt } from './ledger.ts';
import { failedOutcome, type Judged, judgeAnswer, unscored } from './outcome.ts';
import { reaskText } from './prompt.ts';
import type { Question } from './questions.ts';
import { stopAfter } from './stop.ts';

/** What all calls of a run share. */
export interface CallContext {
  judge: Judge;
  provider: Provider;
  price: Pricer;
  ceiling: Ceiling;
  pause: Pause;
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
 * Makes one planned call: sends it, sends it again where that is safe, asks once more where its quotes do not hold.
 * An answer that counts for one criterion is never replaced by a later one.
 */
export async function judgeCall(
  question: Question,
  content: SampleContent,
  context: CallContext,
  log: AttemptLog,
): Promise<CallEnd> {
  const { judge } = context;
  const messages: Message[] = [{ role: 'user', text: question.prompt.user(content) }];
  let standing: Outcome[] = [];
  for (let reasks = judge.evidence.reask; ; reasks--) {
    const sent = await send(requestOf(question, messages, judge), context, log);
    if (sent === null) return { end: 'unsent' };
    const { completion, attempt, receipt, next } = sent;
    const stop = stopAfter(completion, next, judge, context.provider.simulated, context.now());
    const judged = judgeCompletion(completion, stop, question, content, judge);
    const outcomes = judged.outcomes.map((outcome, index) => settled(standing[index]) ?? outcome);
    const again =
      judged.faults.length > 0 && outcomes.some(({ outcome }) => outcome === 'unsupported') && reasks > 0;
    if (again && completion.status === 'answered' && !context.stop.aborted) {
      await log.close(attempt, receipt, null);
      messages.push(
        { role: 'assistant', text: completion.text },
        { role: 'user', text: reaskText(judged.faults) },
      );
      standing = outcomes;
      continue;
    }
    const { served_model, fingerprint } = receipt;
    const final = !again && stop === null && outcomes.every(({ outcome }) => !PASSING.has(outcome));
    const result = { outcomes, final, served_model, fingerprint };
    await log.close(attempt, receipt, result);
    return { end: 'recorded', result, stop };
  }
}

/** Outcomes of the wire, not of the judge: a later run asks again. */
const PASSING: ReadonlySet<Outcome['outcome']> = new Set(['provider_error', 'unknown', 'stopped']);

function settled(outcome: Outcome | undefined): Outcome | undefined {
  return outcome?.outcome === 'unsupported' ? undefined : outcome;
}

function requestOf(
  { prompt, output }: Question,
  messages: readonly Message[],
  judge: Judge,
): CompletionRequest {
  return { model: judge.model, system: prompt.system, messages, params: judge.params, output };
}

function judgeCompletion(
  completion: Completion,
  stop: Problem | null,
  { ask }: Question,
  content: SampleContent,
  judge: Judge,
): Judged {
  if (completion.status === 'answered' && stop === null)
    return judgeAnswer(completion, judge.output, ask, content);
  const outcome =
    completion.status === 'failed'
      ? failedOutcome(completion)
      : unscored('provider_error', stop?.message ?? '');
  return { outcomes: ask.criteria.map(() => outcome), faults: [] };
}

interface Sent {
  completion: Completion;
  attempt: number;
  receipt: CallReceipt;
  next: Next;
}

/** Sends until there is something to keep. Null = the run was stopped before anything was sent again. */
async function send(request: CompletionRequest, context: CallContext, log: AttemptLog): Promise<Sent | null> {
  const { pause, stop, now, sleep } = context;
  let waited = 0;
  for (let tries = 1; ; tries++) {
    await pause.wait(stop);
    if (stop.aborted) return null;
    const attempt = await log.open({
      turn: (request.messages.length + 1) / 2,
      max_output_tokens: request.params.max_output_tokens,
      ceiling_usd: context.ceiling(request),
    });
    if (attempt === null) return null;
    const started = now();
    const completion = await context.provider.complete(request, context.cutoff);
    const receipt = receiptOf(completion, now() - started, context.price);
    const next = nextStep(completion, tries, waited, context.random);
    if (next.do !== 'retry') return { completion, attempt, receipt, next };
    await log.close(attempt, receipt, null);
    waited += next.waitMs;
    if (next.shared) pause.hold(next.waitMs);
    else await sleep(next.waitMs, stop);
  }
}

/** Longest reply that is kept, characters. */
const LONGEST_RAW = 65_536;

function receiptOf(completion: Completion, ms: number, price: Pricer): CallReceipt {
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
