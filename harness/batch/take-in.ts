import { Problem, TRY_LATER } from '../../core/problem.ts';
import { NEVER_SENT, receiptOf, type Sent } from '../judge/call.ts';
import type { RunCall } from '../judge/open-calls.ts';
import { hold, inTurn } from '../judge/run.ts';
import { createPricer, findBatchPrice } from '../provider/price.ts';
import type { BatchResult, Completion, Failed, RemoteBatch } from '../provider/provider.ts';
import type { BatchedCall, OpenBatch } from './batch-ledger.ts';
import { callOf, cutoff, type Desk, say, stamp, stopFor, who } from './desk.ts';

/** What was noticed while results came in. */
interface Notes {
  taken: number;
  twice: number;
  strange: number;
  expired: number;
  cancelled: number;
  missing: number;
  unfetched: Failed | null;
  stop: Problem | null;
}

/**
 * Takes in what a batch came to, be it whole or in part: each result is read as the reply of a single call. What expired
 * is asked at once in single calls.
 * @throws Problem where the results can't be fetched, the batch was cancelled, or an answer stops the run.
 */
export async function takeIn(desk: Desk, batch: OpenBatch, remote: RemoteBatch): Promise<void> {
  const { ledger, run } = desk;
  const notes: Notes = {
    taken: 0,
    twice: 0,
    strange: 0,
    expired: 0,
    cancelled: 0,
    missing: 0,
    unfetched: null,
    stop: null,
  };
  const broken = await inTurn(run, settle(desk, batch, remote, notes));
  if (broken !== null) throw broken;
  if (run.stop.aborted) return;
  if (notes.unfetched !== null && !desk.giveUp) throw unfetched(desk, batch, remote, notes.unfetched);
  const rest = await inTurn(run, settleRest(desk, batch, remote, notes));
  if (rest !== null) throw rest;
  if (run.stop.aborted && ledger.waiting(batch.id).length > 0) return;
  const told = summaryOf(notes);
  say(desk, `batch ${remote.id} (${remote.state}): ${told}`);
  await ledger.end(batch.id, notes.unfetched === null ? 'taken' : 'given_up', told, stamp(desk));
  if (notes.stop !== null) throw notes.stop;
  if (notes.cancelled > 0) throw cancelled(desk, remote, notes.cancelled);
}

/** The calls of a batch as their results come, each with what was heard; expired ones without. */
async function* settle(
  desk: Desk,
  batch: OpenBatch,
  remote: RemoteBatch,
  notes: Notes,
): AsyncGenerator<RunCall & { heard?: Sent }, undefined> {
  const { run, batches, ledger } = desk;
  const { resolved, config } = run.options;
  const { judge } = resolved;
  const price = createPricer(findBatchPrice(judge.provider, judge.model, config.prices));
  const met = new Set<string>();
  for await (const result of batches.results(remote, judge.output, cutoff(desk))) {
    if (result.tells === 'unfetched') {
      notes.unfetched = result.failure;
      continue;
    }
    const call = result.tells === 'nothing' ? null : ledger.find(batch.id, result.id);
    if (call === null) {
      notes.strange++;
      await ledger.putAside(batch.id, textOf(result));
      continue;
    }
    if (met.has(call.key)) {
      notes.twice++;
      continue;
    }
    met.add(call.key);
    if (call.settled) continue;
    if (result.tells === 'undone') yield* undone(desk, call, result.why, notes);
    else if (result.tells === 'reply') {
      const { completion } = result;
      const stop = stopFor(desk, completion);
      notes.stop ??= stop;
      const heard: Sent = {
        attempt: call.attempt,
        completion,
        receipt: receiptOf(completion, 0, price),
        next: { do: 'keep' },
        stop,
      };
      const planned = callOf(desk, call);
      notes.taken++;
      if (planned === null) await run.options.ledger.record(call.attempt, heard.receipt, [], false);
      else {
        desk.seen.add(call.key);
        yield { ...planned, heard };
      }
    }
  }
}

/** What the results do not tell of: not done where the batch ended early, else unknown. */
async function* settleRest(
  desk: Desk,
  batch: OpenBatch,
  { state }: RemoteBatch,
  notes: Notes,
): AsyncGenerator<RunCall, undefined> {
  const early = state === 'expired' ? 'expired' : state === 'cancelled' ? 'cancelled' : null;
  const why =
    notes.unfetched === null
      ? 'the results of its batch do not tell of it'
      : `the results of its batch can't be fetched: ${notes.unfetched.message}`;
  for (const call of desk.ledger.waiting(batch.id)) {
    if (early !== null && notes.unfetched === null) {
      yield* undone(desk, call, early, notes);
      continue;
    }
    notes.missing++;
    const planned = callOf(desk, call);
    if (planned === null) continue;
    desk.seen.add(call.key);
    await hold(desk.run.options, desk.run.plan, planned, desk.run.tally, why);
  }
}

/** Frees a call that was not done; one that expired is asked in a single call, unless the run is about to stop. */
async function* undone(
  desk: Desk,
  call: BatchedCall,
  why: 'expired' | 'cancelled',
  notes: Notes,
): AsyncGenerator<RunCall, undefined> {
  notes[why]++;
  await desk.run.options.ledger.record(call.attempt, NEVER_SENT, [], false);
  const planned = why === 'cancelled' || notes.stop !== null ? null : callOf(desk, call);
  if (planned === null) return;
  if (notes.expired === 1)
    say(desk, 'calls of the batch expired: they are made one by one now, at full price');
  desk.seen.add(call.key);
  yield planned;
}

function textOf(result: Exclude<BatchResult, { tells: 'unfetched' }>): string {
  if (result.tells === 'nothing') return result.text;
  if (result.tells === 'undone') return `${result.id}: ${result.why}`;
  return `${result.id}: ${rawOf(result.completion)}`;
}

function rawOf(completion: Completion): string {
  return completion.raw ?? '';
}

function summaryOf({ taken, twice, strange, expired, cancelled, missing }: Notes): string {
  const parts = [
    `${taken} results taken in`,
    expired > 0 ? `${expired} expired and made one by one, at full price` : '',
    cancelled > 0 ? `${cancelled} cancelled` : '',
    missing > 0 ? `${missing} unknown, without a result` : '',
    twice > 0 ? `${twice} given twice, the first counts` : '',
    strange > 0 ? `${strange} that name no call of ours, put aside` : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

function unfetched(desk: Desk, batch: OpenBatch, remote: RemoteBatch, { message }: Failed): Problem {
  const left = desk.ledger.waiting(batch.id).length;
  return new Problem(
    'batch_unfetched',
    `results of batch ${remote.id} of ${who(desk)} can't be fetched, ${left} calls are unknown: ${message}`,
    {
      remedy:
        'They may have been done and billed, and are not sent again. Run again with --batch to fetch them once more; with --batch --give-up to count them as unknown for good.',
      exitCode: TRY_LATER,
    },
  );
}

function cancelled(desk: Desk, { id }: RemoteBatch, count: number): Problem {
  return new Problem(
    'batch_cancelled',
    `batch ${id} of ${who(desk)} was cancelled before ${count} of its calls were done`,
    {
      remedy: 'What was done is kept. Run again to make the rest.',
      exitCode: TRY_LATER,
    },
  );
}
