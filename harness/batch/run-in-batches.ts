import { judgeRef } from '../../core/judge.ts';
import { Problem } from '../../core/problem.ts';
import type { RunCall } from '../judge/open-calls.ts';
import { conductRun, inTurn, openCalls, type RunOptions, type RunSummary } from '../judge/run.ts';
import type { OpenBatch } from './batch-ledger.ts';
import type { BatchOptions, Desk } from './desk.ts';
import { Filler } from './fill.ts';
import { handIn, takeUp } from './hand-in.ts';
import { refuse } from './refused.ts';
import { takeIn } from './take-in.ts';
import { awaitEnd } from './wait.ts';

/**
 * Runs a judge as `runJudge` does, with its first questions in batches: batches of this run that an earlier process left
 * at the provider come first. A stop leaves batches with the provider; the next run picks them up.
 * @throws Problem as `runJudge`, and where a batch was refused, cancelled or lost.
 */
export async function runInBatches(options: RunOptions, how: BatchOptions): Promise<RunSummary> {
  const { judge } = options.resolved;
  const batches = options.provider?.batches;
  if (batches === undefined) {
    throw new Problem(
      'no_batches',
      `judge ${judgeRef(judge)} can't run in batches: ${judge.provider} has none here`,
      {
        remedy: 'Run it without --batch. Batches are for openai, openai-responses and anthropic.',
      },
    );
  }
  return conductRun(options, async (run) => {
    const desk: Desk = { ...how, run, batches, seen: new Set() };
    try {
      await work(desk);
      return null;
    } catch (error) {
      return error;
    }
  });
}

async function work(desk: Desk): Promise<void> {
  const { run, ledger, seen } = desk;
  const left: OpenBatch[] = [];
  for (const batch of ledger.open(run.options.id)) {
    const found = await takeUp(desk, batch);
    if (found !== null) left.push(found);
  }
  await carryThrough(desk, left);
  const filler = new Filler(desk, openCalls(run, seen));
  while (!run.stop.aborted) {
    const sent: OpenBatch[] = [];
    let filled = await filler.next();
    while (filled !== null) {
      sent.push(await handIn(desk, filled));
      filled = filler.spent === null ? await filler.next() : null;
    }
    const broken = await inTurn(run, each(filler.trivial.splice(0)));
    if (broken !== null) throw broken;
    if (sent.length === 0) {
      if (filler.spent !== null) throw filler.spent;
      return;
    }
    await carryThrough(desk, sent);
  }
}

/** Waits for batches and takes them in; one that breaks keeps no other from being taken in. */
async function carryThrough(desk: Desk, open: readonly OpenBatch[]): Promise<void> {
  let broken: unknown = null;
  for (const batch of open) {
    try {
      const remote = await awaitEnd(desk, batch.remote ?? '');
      if (remote === null) break;
      if (remote.phase === 'refused') broken ??= await refuse(desk, batch, remote);
      else await takeIn(desk, batch, remote);
    } catch (error) {
      broken ??= error;
    }
  }
  if (broken !== null) throw broken;
}

async function* each(calls: readonly RunCall[]): AsyncGenerator<RunCall, undefined> {
  yield* calls;
}
