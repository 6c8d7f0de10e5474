import type { SuiteReport } from '../../../core/gate.ts';
import { openShop, runShop } from '../suite/shop.ts';

/** What a hostile agent would like a report to show. */
export const HOSTILE =
  '\u001b[2J<img src=x onerror=alert(1)> | **bold** [link](https://evil.example) @everyone `x` ]]> <img>\u0000';

/** A run with one task of each outcome: passed, failed with hostile words, errored, ungraded. */
export function sampleReport(): Promise<SuiteReport> {
  const sold = { must: [{ 'item.sold': {} }] };
  const open = openShop([
    { id: 'passes', input: 'pass', ...sold },
    { id: 'fails', input: 'fail', ...sold },
    { id: 'errs', input: 'err', ...sold },
    { id: 'silent', input: 'silent', must_not: ['mail.sent'] },
  ]);
  return runShop(
    open,
    async ({ instruction }, { tools }) => {
      if (instruction === 'pass') await tools.call('sell', { item: 'cup', count: 1 });
      if (instruction === 'fail') throw new Error(HOSTILE);
      if (instruction === 'err') await tools.call('broken', {});
      return HOSTILE;
    },
    { trials: 2 },
  );
}
