import { describe, expect, it } from 'vitest';
import { markdownReport } from '../../../harness/report/markdown.ts';
import { sampleReport } from './sample-report.ts';

describe('Markdown', () => {
  it('shows each figure with its interval and its n, each rule’s finding and each reason', async () => {
    const report = await sampleReport();
    const text = markdownReport(report);
    expect(text).toContain('## shop v1: inconclusive (exit 3)');
    expect(text).toContain('Passed 2, failed 2, errored 2, ungraded 2.');
    expect(text).toMatch(/\| pass rate \| 50\.0% \| [\d.]+% to [\d.]+% \| 2 tasks, 4 trials, 4 left out \|/);
    expect(text).toContain('| max&#95;errored | inconclusive | 2 of 8 trials errored, at most 2.0% may |');
    expect(text).toContain('**errs**');
    expect(text).toContain(`Suite \`${report.suite_hash}\``);
  });

  it('takes an agent’s words as words: no markup, no link, no mention, no new cell', async () => {
    const text = markdownReport(await sampleReport());
    const line = text.split('\n').find((one) => one.includes('the agent threw')) ?? '';
    expect(line).toContain('onerror');
    expect(line).not.toMatch(/[<>|*`@[\]]|:\/\//);
  });
});
