import { Problem, TRY_LATER } from '../../core/problem.ts';
import { nextStep, PATIENCE_MS } from '../provider/retry.ts';
import type { OpenBatch } from './batch-ledger.ts';
import { cutoff, type Desk, say, stamp, stopFor, undo, who } from './desk.ts';
import type { Filled } from './fill.ts';
import { findLost } from './find-lost.ts';

/**
 * Hands a batch in and writes its id down. What may have been made is looked for before anything is said of it.
 * @throws Problem where the provider does not take it: its calls are open again.
 */
export async function handIn(desk: Desk, { id, marker, lines }: Filled): Promise<OpenBatch> {
  const { run, ledger, batches } = desk;
  const { options } = run;
  const at = stamp(desk);
  await ledger.sending(id, at);
  const batch: OpenBatch = {
    id,
    run: options.id,
    marker,
    state: 'sending',
    remote: null,
    at,
    requests: lines.length,
  };
  for (let tries = 1, waited = 0; ; tries++) {
    const made = await batches.submit(lines, marker, cutoff(desk));
    if ('phase' in made) return known(desk, batch, made.id);
    if (made.maybeBilled) {
      const found = await findLost(desk, batch);
      if (found !== null) return known(desk, batch, found);
    }
    const next = made.maybeBilled ? null : nextStep(made, tries, waited, options.random);
    if (next?.do === 'retry' && !run.stop.aborted && waited < PATIENCE_MS) {
      waited += next.waitMs;
      say(desk, `the provider did not take the batch (${made.message}); trying again`);
      await options.sleep(next.waitMs, run.stop);
      continue;
    }
    await undo(desk, batch, 'unmade', made.message);
    throw (
      stopFor(desk, made) ??
      new Problem('batch_unmade', `the provider did not take a batch of ${who(desk)}: ${made.message}`, {
        remedy:
          'Nothing of it was done. Run again with --batch; without, the calls are made one by one at full price.',
        exitCode: TRY_LATER,
      })
    );
  }
}

async function known(desk: Desk, batch: OpenBatch, remote: string): Promise<OpenBatch> {
  await desk.ledger.sent(batch.id, remote);
  say(desk, `batch ${remote}: ${batch.requests} requests handed in`);
  return { ...batch, state: 'sent', remote };
}

/** Brings a batch of an earlier process up to date. @returns null where the provider never had it. */
export async function takeUp(desk: Desk, batch: OpenBatch): Promise<OpenBatch | null> {
  if (batch.state === 'sent') return batch;
  if (batch.state === 'sending') {
    const found = await findLost(desk, batch);
    if (found !== null) return known(desk, batch, found);
  }
  await undo(desk, batch, 'unmade', 'the process ended before the provider had it');
  return null;
}
