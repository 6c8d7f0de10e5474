import { Problem, TRY_LATER } from '../../core/problem.ts';
import type { RemoteBatch } from '../provider/provider.ts';
import { cutoff, type Desk, say, stopFor, who } from './desk.ts';

const FIRST_WAIT_MS = 2000;
/** Looks that may fail in a row. */
const PATIENCE = 12;

/**
 * Waits for a batch to come to its end, looking less and less often.
 * @returns null where the run is stopped meanwhile: the batch stays with the provider.
 * @throws Problem where the provider can't be asked, or knows of no such batch.
 */
export async function awaitEnd(desk: Desk, remote: string): Promise<RemoteBatch | null> {
  const { run, batches, pollMs } = desk;
  const { sleep, random } = run.options;
  let wait = Math.min(FIRST_WAIT_MS, pollMs);
  for (let failures = 0; !run.stop.aborted; ) {
    const batch = await batches.look(remote, cutoff(desk));
    if ('phase' in batch) {
      failures = 0;
      if (batch.phase !== 'working') return batch;
      const seconds = Math.round(wait / 1000);
      say(
        desk,
        `batch ${remote}: ${batch.state}, ${batch.done} done, ${batch.failed} failed; next look in ${seconds} s`,
      );
    } else {
      if (batch.failure === 'aborted') return null;
      const gone = batch.failure === 'not_found';
      if (gone || ++failures >= PATIENCE) throw lost(desk, remote, batch.message, gone);
      const stop = stopFor(desk, batch);
      if (stop !== null) throw stop;
      say(desk, `batch ${remote}: ${batch.message}; looking again`);
      wait = Math.max(wait, batch.retryAfterMs ?? 0);
    }
    await sleep(wait * (1 + random() / 10), run.stop);
    wait = Math.min(pollMs, wait * 1.5);
  }
  return null;
}

function lost(desk: Desk, remote: string, message: string, gone: boolean): Problem {
  return new Problem(
    gone ? 'batch_gone' : 'unreachable',
    `the provider of ${who(desk)} does not tell of batch ${remote}: ${message}`,
    {
      remedy: gone
        ? 'Its calls are unknown and are not sent again. Run again with --batch to look once more; with --batch --give-up to count them as unknown for good.'
        : 'Run again with --batch: the batch goes on without us, and nothing is sent twice.',
      exitCode: TRY_LATER,
    },
  );
}
