import { judgeRef } from '../../core/judge.ts';
import type { Problem } from '../../core/problem.ts';
import type { Sample } from '../../core/sample.ts';
import { NEVER_SENT } from '../judge/call.ts';
import type { RunCall } from '../judge/open-calls.ts';
import { planSample } from '../judge/plan.ts';
import type { Run } from '../judge/run.ts';
import { stopAfter } from '../judge/stop.ts';
import type { Batches, Completion } from '../provider/provider.ts';
import type { BatchEnd, BatchedCall, BatchLedger, OpenBatch } from './batch-ledger.ts';

/** How a run works in batches. */
export interface BatchOptions {
  ledger: BatchLedger;
  sampleOf: (id: string) => Sample | null;
  /** Most requests in one batch; the provider's own limit where that is lower. */
  most: number;
  /** The longest wait between two looks, milliseconds. */
  pollMs: number;
  /** How long a batch that was perhaps made is looked for, milliseconds. */
  searchMs: number;
  /** What becomes of results that can't be fetched: they are unknown for good. False = the run pauses and asks. */
  giveUp: boolean;
}

/** What all steps of a run in batches share. */
export interface Desk extends BatchOptions {
  run: Run;
  batches: Batches;
  /** Keys of the calls that this run has seen to. */
  seen: Set<string>;
}

/** A signal of its own for each request, as the SDKs never take their listeners off. */
export function cutoff({ run }: Desk): AbortSignal {
  return AbortSignal.any(run.options.cutoff === undefined ? [] : [run.options.cutoff]);
}

export function stamp({ run }: Desk): string {
  return new Date(run.options.now()).toISOString();
}

export function say({ run }: Desk, text: string): void {
  run.options.onEvent({ type: 'batch', text });
}

export function who({ run }: Desk): string {
  return judgeRef(run.options.resolved.judge);
}

/** The planned call that went out; null where the judge of today plans no such call. */
export function callOf({ run, sampleOf }: Desk, { key, sample: id }: BatchedCall): RunCall | null {
  const sample = sampleOf(id);
  if (sample === null) return null;
  const call = planSample(run.plan, sample).find(({ planned }) => planned.key === key);
  return call === undefined ? null : { ...call, sample };
}

/** Closes a batch of which the provider did nothing: its calls are open again, and free. */
export async function undo(
  desk: Desk,
  batch: Pick<OpenBatch, 'id'>,
  how: BatchEnd,
  why: string,
): Promise<void> {
  const { ledger } = desk.run.options;
  const waiting = desk.ledger.waiting(batch.id);
  await Promise.all(waiting.map(({ attempt }) => ledger.record(attempt, NEVER_SENT, [], false)));
  await desk.ledger.end(batch.id, how, why, stamp(desk));
}

/** Why a run can't go on after a completion, or null. */
export function stopFor({ run }: Desk, completion: Completion): Problem | null {
  const { resolved, provider, now } = run.options;
  const ended = { completion, next: { do: 'keep' as const }, broken: false, grown: false };
  return stopAfter(ended, resolved.judge, provider?.simulated ?? false, now());
}
