import { Problem, TRY_LATER } from '../../core/problem.ts';
import type { RemoteBatch } from '../provider/provider.ts';
import type { OpenBatch } from './batch-ledger.ts';
import { cutoff, type Desk, say, who } from './desk.ts';
import { awaitEnd } from './wait.ts';

/**
 * Looks for a batch that was perhaps made and whose id was never read: by its marker, else by time and size and, once it
 * has ended, by what its results answer. A list may lag, so that a young batch is looked for again.
 * @returns the provider's id, or null where there is none.
 * @throws Problem where the provider can't be asked.
 */
export async function findLost(desk: Desk, batch: OpenBatch): Promise<string | null> {
  const { run, batches, ledger, searchMs } = desk;
  const { now, sleep } = run.options;
  const trace = { marker: batch.marker, since: Date.parse(batch.at), requests: batch.requests };
  say(desk, `looking for the batch ${batch.marker}, which the provider may have`);
  for (;;) {
    const found = await batches.search(trace, cutoff(desk));
    if (found.status === 'failed') {
      throw new Problem(
        'batch_unfound',
        `${who(desk)} may have a batch at its provider, which can't be asked for it: ${found.message}`,
        { remedy: 'Run again with --batch: nothing is sent twice.', exitCode: TRY_LATER },
      );
    }
    for (const candidate of found.batches) {
      if (found.sure) return candidate.id;
      if (!ledger.knows(candidate.id) && (await answersOurs(desk, batch, candidate))) return candidate.id;
    }
    const left = trace.since + searchMs - now();
    if (left <= 0) return null;
    await sleep(left, run.stop);
    if (run.stop.aborted) throw stoppedMeanwhile(desk);
  }
}

/** Do the results of a batch answer calls of ours? */
async function answersOurs(desk: Desk, { id }: OpenBatch, candidate: RemoteBatch): Promise<boolean> {
  const { run, batches, ledger } = desk;
  const ended = await awaitEnd(desk, candidate.id);
  if (ended === null) throw stoppedMeanwhile(desk);
  const { resolved } = run.options;
  for await (const result of batches.results(ended, resolved.judge.output, cutoff(desk))) {
    if ('id' in result) return ledger.find(id, result.id) !== null;
  }
  return false;
}

function stoppedMeanwhile(desk: Desk): Problem {
  return new Problem('batch_unfound', `stopped while looking for a batch of ${who(desk)}`, {
    remedy: 'Run again with --batch to look on: nothing is sent twice.',
    exitCode: TRY_LATER,
  });
}
