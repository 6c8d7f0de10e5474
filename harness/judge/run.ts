import { judgeRef } from '../../core/judge.ts';
import { Problem, TRY_LATER } from '../../core/problem.ts';
import type { OnUnknown, RunState } from '../../core/run.ts';
import type { Sample } from '../../core/sample.ts';
import type { Verdict } from '../../core/verdict.ts';
import { workersOf } from '../provider/flow.ts';
import type { AttemptLog, CallResult, Sent } from './call.ts';
import { type Caller, type CallerOptions, createCaller } from './caller.ts';
import type { Ledger, PlannedCall } from './ledger.ts';
import { lookUp, type RunCall } from './open-calls.ts';
import { unscored } from './outcome.ts';
import { type Plan, planJudge } from './plan.ts';
import { reserve } from './reserve.ts';
import { type RunTally, Tally } from './tally.ts';

export type { RunTally } from './tally.ts';

export type RunEvent =
  | { type: 'planned'; run: string; total: number }
  /** What a run that works in batches does or waits for, in words. */
  | { type: 'batch'; text: string }
  | ({ type: 'progress' } & RunTally)
  | ({ type: 'finished'; state: Exclude<RunState, 'running'>; why: string } & RunTally);

export interface RunOptions extends Omit<CallerOptions, 'stop' | 'cutoff'> {
  /** The run's own id, new for each run. */
  id: string;
  dataset: string;
  samples: Iterable<Sample> | AsyncIterable<Sample>;
  /** How many samples there are. */
  total: number;
  ledger: Ledger;
  /** The run comprises only the first so many samples; absent = all. */
  limit?: number | null;
  /** US dollars that the run may cost at most; absent = no limit. */
  budget_usd?: number | null;
  /** What becomes of calls that were sent before and never heard of; default `resend`. */
  onUnknown?: OnUnknown;
  /** Stops the run: nothing new is sent, calls in flight are heard out. */
  signal: AbortSignal;
  /** Gives up on calls in flight too: they end as `unknown`. */
  cutoff?: AbortSignal;
  onEvent: (event: RunEvent) => void;
}

export interface RunSummary extends RunTally {
  state: 'done' | 'stopped';
}

/**
 * Runs a judge over samples and writes each verdict to the ledger as it arrives. A run that was stopped or killed is
 * resumed by running again: answered calls are skipped. Memory does not grow with the number of samples.
 * @throws Problem where the run can't go on (key refused, model gone, quota used up, another model answered); what was
 * answered until then is stored.
 */
export function runJudge(options: RunOptions): Promise<RunSummary> {
  return conductRun(options, (run) => inTurn(run, openCalls(run)));
}

/**
 * Opens a run in the ledger, lets it be worked off, and writes down how it ended.
 * @param work makes the calls. @returns what broke the run, or null.
 */
export async function conductRun(
  options: RunOptions,
  work: (run: Run) => Promise<unknown>,
): Promise<RunSummary> {
  const { resolved, ledger, id, now, onEvent } = options;
  const plan = planJudge(resolved, options.fit, options.examples);
  const halt = new AbortController();
  const stop = AbortSignal.any([options.signal, halt.signal]);
  const cutoff = options.cutoff ?? new AbortController().signal;
  const caller = createCaller({ ...options, stop, cutoff });
  const planned = plan.callsPerSample * options.total;
  const tally = new Tally(planned, now);
  await ledger.startRun({
    id,
    judge: judgeRef(resolved.judge),
    judge_hash: resolved.hash,
    dataset: options.dataset,
    planned,
    concurrency: options.concurrency,
    limit: options.limit ?? null,
    budget_usd: options.budget_usd ?? null,
    simulated: options.provider?.simulated ?? false,
    at: stamp(now),
  });
  onEvent({ type: 'planned', run: id, total: planned });
  const run = { options, plan, caller, tally, halt, stop };
  const broken = await work(run);
  const stopped = options.signal.aborted;
  const state = broken !== null ? brokenState(broken) : stopped ? 'stopped' : 'done';
  const reason = broken instanceof Error ? broken.message : stopped ? 'stopped by request' : '';
  const why = [reason, ...caller.notes()].filter((part) => part !== '').join('; ');
  await ledger.endRun(id, state, why, stamp(now));
  onEvent({ type: 'finished', state, why, ...tally.read() });
  if (state === 'failed' || state === 'paused') throw broken;
  return { state, ...tally.read() };
}

/** How a run ends that something broke: paused where time or money mends it, else failed. */
export function brokenState(broken: unknown): 'failed' | 'paused' {
  return broken instanceof Problem && broken.exitCode === TRY_LATER ? 'paused' : 'failed';
}

/** A run as it goes. */
export interface Run {
  options: RunOptions;
  plan: Plan;
  caller: Caller;
  tally: Tally;
  halt: AbortController;
  /** Nothing new is sent once it fires. */
  stop: AbortSignal;
}

/** Lets the workers make calls until there are none. @returns what broke the run, or null. */
export async function inTurn(
  run: Run,
  calls: AsyncGenerator<RunCall & { heard?: Sent }, undefined>,
): Promise<unknown> {
  let broken: unknown = null;
  const worker = async () => {
    while (!run.stop.aborted) {
      const next = await calls.next();
      if (next.done) return;
      await carryOut(run, next.value, next.value.heard);
    }
  };
  const guarded = () =>
    worker().catch((error: unknown) => {
      broken ??= error;
      run.halt.abort();
    });
  const { provider, concurrency } = run.options;
  const workers = provider === null ? concurrency : workersOf(concurrency);
  await Promise.all(Array.from({ length: workers }, guarded));
  await calls.return(undefined);
  return broken;
}

/** The calls that are to be sent, planned as the workers ask for them. @param except keys of calls that this run has seen to. */
export async function* openCalls(
  { options, plan, tally }: Run,
  except: ReadonlySet<string> = new Set(),
): AsyncGenerator<RunCall, undefined> {
  const { id, ledger, onUnknown = 'resend' } = options;
  const simulated = options.provider?.simulated ?? false;
  for await (const looked of lookUp({ plan, samples: options.samples, ledger, simulated })) {
    const chunk = looked.filter(({ planned }) => !except.has(planned.key));
    const answers = chunk.flatMap((call) =>
      call.stands === 'answered' ? [{ call: call.planned, by: call.by }] : [],
    );
    if (answers.length > 0) await ledger.adopt(id, answers, plan.rubricHash);
    for (const call of chunk) {
      if (call.stands === 'answered') tally.reuse();
      else if (call.stands === 'unheard' && onUnknown === 'hold') await hold(options, plan, call, tally);
      else {
        if (call.stands === 'unheard') tally.resend();
        yield call;
      }
    }
  }
}

/** Leaves a call that was sent and never heard of as it is: unknown, until a run may send it again. */
export async function hold(
  options: RunOptions,
  plan: Plan,
  { planned }: Pick<RunCall, 'planned'>,
  tally: Tally,
  why = 'it was sent, and no answer was ever read; held rather than sent again',
): Promise<void> {
  const outcome = unscored('unknown', why);
  const outcomes = planned.criteria.map(() => outcome);
  const result = { outcomes, final: false, served_model: null, fingerprint: null };
  const at = stamp(options.now);
  await options.ledger.giveUp(options.id, planned, verdictsOf(plan, planned, result, at), at);
  tally.hold(outcomes);
}

async function carryOut(run: Run, { planned, criteria, sample }: RunCall, heard?: Sent): Promise<void> {
  const { options, plan, tally } = run;
  const { ledger, now, onEvent } = options;
  const log: AttemptLog = {
    open: (attempt) =>
      reserve(ledger, options.id, planned, attempt, {
        judge: options.resolved.judge,
        stop: run.stop,
        stamp: () => stamp(now),
      }),
    close: async (attempt, receipt, result) => {
      const verdicts = result === null ? [] : verdictsOf(plan, planned, result, stamp(now));
      await ledger.record(attempt, receipt, verdicts, result?.final ?? false);
      tally.pay(receipt);
    },
  };
  const ended = await run.caller.call(criteria, planned.order, sample.content, log, planned.repeat, heard);
  if (ended.end === 'unsent') return;
  tally.judge(ended.result.outcomes);
  onEvent({ type: 'progress', ...tally.read() });
  if (ended.stop !== null && ended.stop !== heard?.stop) throw ended.stop;
}

function verdictsOf(plan: Plan, planned: PlannedCall, result: CallResult, at: string): Verdict[] {
  const { judge, hash } = plan.resolved;
  return planned.criteria.flatMap((criterion, index) => {
    const outcome = result.outcomes[index];
    if (outcome === undefined) return [];
    return [
      {
        judge: judgeRef(judge),
        judge_hash: hash,
        rubric_hash: plan.rubricHash,
        sample: planned.sample,
        criterion,
        order: planned.order,
        repeat: planned.repeat,
        result: outcome,
        served_model: result.served_model,
        fingerprint: result.fingerprint,
        at,
      },
    ];
  });
}

function stamp(now: () => number): string {
  return new Date(now()).toISOString();
}
