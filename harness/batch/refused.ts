import { Problem, TRY_LATER } from '../../core/problem.ts';
import type { RemoteBatch } from '../provider/provider.ts';
import type { OpenBatch } from './batch-ledger.ts';
import { type Desk, undo, who } from './desk.ts';

/** Faults that are told one by one. */
const TOLD = 10;

/** Frees the calls of a batch that the provider did not begin, and tells what is wrong with which line. */
export async function refuse(desk: Desk, batch: OpenBatch, { id, faults }: RemoteBatch): Promise<Problem> {
  const told = faults.slice(0, TOLD).map(({ line, message }) => {
    const call = line === null ? null : desk.ledger.onLine(batch.id, line);
    const where = line === null ? '' : `line ${line}${call === null ? '' : ` (sample ${call.sample})`}: `;
    return `${where}${message}`;
  });
  const more = faults.length > TOLD ? `; and ${faults.length - TOLD} more` : '';
  const why = `${told.join('; ') || 'no reason given'}${more}`;
  await undo(desk, batch, 'refused', why);
  const full = faults.some((fault) => fault.full);
  return new Problem('batch_refused', `the provider refused batch ${id} of ${who(desk)}: ${why}`, {
    remedy: full
      ? 'Nothing of it was done. Run again when the batches before it are through, or with a smaller --batch-size.'
      : 'Nothing of it was done. Mend what it names, then run again.',
    ...(full && { exitCode: TRY_LATER }),
  });
}
