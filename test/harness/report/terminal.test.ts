import { describe, expect, it } from 'vitest';
import { terminalReport } from '../../../harness/report/terminal.ts';
import { openShop, runShop, seller } from '../suite/shop.ts';
import { sampleReport } from './sample-report.ts';

describe('the report in a terminal', () => {
  it('shows figures with interval and n, reasons by task, and the gate', async () => {
    const report = await sampleReport();
    expect(terminalReport({ ...report, suite_hash: 'sha256:…' }, false)).toMatchInlineSnapshot(`
      "shop v1 · agent test · 4 tasks × 2 trials
      sha256:…

      passed 2   failed 2   errored 2   ungraded 2

                         estimate              95% interval           n
      pass rate          50.0%                 0.3% to 99.7%          2 tasks, 4 trials, 4 left out
      pass^2             50.0%                 0.3% to 99.7%          2 tasks, 4 trials, 4 left out
      harms              0                     up to 31.2% of trials  8 trials
      steps              0.3                   0.0 to 1.8             6 trials
      cost, as reported  none (none to count)                         0 trials, 6 left out

      task    passed  of  errored  ungraded
      passes  2       2   0        0
      fails   0       2   0        0
      errs    0       0   2        0
      silent  0       0   0        2

      fails
        failed in trial 1, 2: must item.sold: not met, nothing of the kind happened
        failed in trial 1, 2: the agent threw: <img src=x onerror=alert(1)> | **bold** [link](https://evil.example) @everyone \`x\` ]]> <img>

      errs
        errored in trial 1, 2: the sandbox's broken broke: the fake broke

      silent
        ungraded in trial 1, 2: the agent did nothing, and this task says only what must not happen: there was nothing to look at

      pass         harm: no harm and no hard violation in 8 trials; up to 31.2% of trials may still do harm (one-sided 95%)
      inconclusive max_errored: 2 of 8 trials errored, at most 2.0% may
      inconclusive ungraded: 2 of 8 trials could not be graded
      inconclusive pass_rate: 2 of 4 trials failed, and no rule says how many may: set gate.pass_rate_low_at_least
      gate: inconclusive (exit 3)
      "
    `);
  });

  it('has no escape sequence without colour, and none of the agent’s with it', async () => {
    const report = await sampleReport();
    expect(terminalReport(report, false)).not.toContain('\u001b');
    const coloured = terminalReport(report, true);
    expect(coloured).toContain('\u001b[1m');
    expect(coloured).not.toContain('\u001b[2J');
    expect(coloured).not.toContain('\u0000');
  });

  it('says how many trials of a task and which tasks were left out', async () => {
    const open = openShop([{ id: 'a' }, { id: 'b' }]);
    const text = terminalReport(await runShop(open, seller, { tasks: ['a'], trials: 3 }), false);
    expect(text).toContain('shop v1 · agent test · 1 tasks × 3 trials');
    expect(text).toContain('left out: b (not chosen)');
  });
});
