import { describe, expect, it } from 'vitest';
import { junitReport } from '../../../harness/report/junit.ts';
import { openShop, runShop, seller } from '../suite/shop.ts';
import { sampleReport } from './sample-report.ts';

describe('JUnit', () => {
  it('tells failures from errors: missing evidence is no failure', async () => {
    const xml = junitReport(await sampleReport());
    expect(xml).toMatch(/<testsuite name="shop v1"[^>]* tests="9" failures="2" errors="5"/);
    const caseOf = (task: string) =>
      xml.split('<testcase').find((one) => one.includes(`classname="shop.${task}"`)) ?? '';
    expect(caseOf('passes')).not.toMatch(/<failure|<error/);
    expect(caseOf('fails')).toMatch(/<failure .*type="failed"/);
    expect(caseOf('errs')).toMatch(/<error [^>]*message="the sandbox's broken broke: the fake broke/);
    expect(caseOf('silent')).toMatch(/<error [^>]*type="ungraded"/);
    expect(caseOf('gate')).toMatch(/<error [^>]*type="inconclusive"/);
  });

  it('is well-formed whatever an agent says', async () => {
    const xml = junitReport(await sampleReport());
    const outsideText = xml.replace(/<!\[CDATA\[.*?\]\]>/gs, '');
    expect(outsideText).not.toContain('<img');
    expect([...xml].filter((one) => one < ' ' && one !== '\n' && one !== '\t')).toEqual([]);
  });

  it('of a clean run has neither failure nor error', async () => {
    const xml = junitReport(await runShop(openShop([{}, {}]), seller));
    expect(xml).toMatch(/tests="3" failures="0" errors="0"/);
    expect(xml).not.toMatch(/<failure|<error/);
  });
});
