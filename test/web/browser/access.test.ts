import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { accept, draft } from '../../../server/calibrating.ts';
import { freezeLabelSet } from '../../../server/freeze.ts';
import { createSimulator } from '../../simulator/simulator.ts';
import { openChromium } from './chromium.ts';
import { open, signIn } from './signed-in.ts';
import { type TestWorkbench, testWorkbench } from './workbench.ts';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const LABEL = '#/label?dataset=refund-replies&rubric=refund-reply@1';

/** Each page with what it shows when it is ready, and what opens the rest of it. */
const PAGES: readonly { hash: string; ready: string; open?: readonly string[] }[] = [
  { hash: '#/', ready: 'text=What is waiting' },
  { hash: '#/label', ready: 'text=What will you label?' },
  { hash: LABEL, ready: 'section.judged' },
  { hash: '#/label?dataset=refund-pairs&rubric=refund-pair@1', ready: 'section.judged' },
  { hash: '#/samples?import=yes', ready: 'nav[aria-label=Samples] a' },
  { hash: '#/verdict?id=VERDICT', ready: 'text=Show how', open: ['text=Show how', 'summary'] },
  { hash: '#/verdict', ready: 'text=No verdict is named' },
  {
    hash: '#/samples?dataset=refund-replies&sample=SAMPLE',
    ready: 'section.judged',
    open: ['text=Show what others said'],
  },
  { hash: '#/rubrics', ready: 'text=refund-pair@1', open: ['summary >> nth=0'] },
  { hash: '#/judges', ready: 'text=Why it ended' },
  {
    hash: '#/judges?judge=simulated-accuracy@1&with=refund-accuracy@1',
    ready: 'text=is another judge than',
    open: ['summary >> nth=0'],
  },
  { hash: '#/run?id=RUN', ready: 'text=Calls planned' },
  { hash: '#/run', ready: 'text=No run is named' },
  {
    hash: '#/agreement?judge=overlap-accuracy@1',
    ready: 'text=Where they differ',
    open: [
      'ol button >> nth=0',
      'text=Show texts, labels and verdicts',
      'summary:has-text("Look at")',
      'summary:has-text("Calibrate")',
      'summary:has-text("Freeze")',
    ],
  },
  { hash: '#/export', ready: 'text=In the suite' },
];

/** Labels, a frozen set and verdicts, so that every page has something to show. @returns the whole address of a page. */
async function furnish(page: Page, bench: TestWorkbench): Promise<(hash: string) => string> {
  const { store, now, runs } = bench.services();
  const dataset = store.samples.dataset('refund-replies');
  const rows = store.samples.page(dataset.id, { after: 0, limit: 24, query: '' });
  const levels = { accuracy: ['1', '2', '3'], approval: ['no', 'yes'], tone: ['1', '2', '3', '4'] };
  await signIn(page, bench, 'Ada');
  await open(page, bench, LABEL);
  await page.locator('section.judged').waitFor();
  const rubric_hash = await page.evaluate(async () => {
    const queue = await fetch('/api/label/queue?dataset=refund-replies&rubric=refund-reply@1');
    const body: { rubric_hash: string } = await queue.json();
    return body.rubric_hash;
  });
  store.write(() => {
    rows.slice(0, 20).forEach(({ seq, sample }, n) => {
      for (const [annotator, shift] of [
        ['Ada', 0],
        ['Bea', n % 4 === 0 ? 1 : 0],
      ] as const) {
        for (const [criterion, values] of Object.entries(levels)) {
          const value = values[(n + shift) % values.length] ?? '1';
          store.labels.append(
            seq,
            {
              id: crypto.randomUUID(),
              sample: sample.id,
              criterion,
              what: { act: 'label', value, unsure: n % 5 === 0 },
              evidence: [{ field: 'output', start: 0, end: 5, quote: 'x' }],
              note: 'a note',
              ms: 1000,
              base: null,
              at: now().toISOString(),
              order: null,
            },
            { rubric: 'refund-reply@1', rubricHash: rubric_hash, annotator, saw: 'blind' },
          );
        }
      }
    });
  });
  freezeLabelSet(bench.services(), {
    dataset: dataset.name,
    rubric: 'refund-reply@1',
    seed: 7,
    devShare: 0.5,
    drawn: 'all',
  });
  await (await runs.start({ judge: 'overlap-accuracy@1', dataset: dataset.name })).ended;
  const measured = { judge: 'overlap-accuracy@1', labelSet: 'refund-replies@1', by: 'Ada', reason: 'a test' };
  draft(bench.services(), measured);
  const rule = { kappa_low_at_least: null, unscored_at_most: 0.05, attack_high_at_most: null };
  accept(bench.services(), { ...measured, rule, note: '', expires: '2999-01-01' });
  await (await runs.start({ judge: 'simulated-accuracy@1', dataset: dataset.name, limit: 2 })).ended;
  const [shown] = rows;
  const verdict = store.verdicts
    .ofSample(shown?.seq ?? 0)
    .find(({ judge }) => judge === 'simulated-accuracy@1');
  return (hash) =>
    hash
      .replace('SAMPLE', shown?.sample.id ?? '')
      .replace('VERDICT', String(verdict?.id ?? ''))
      .replace('RUN', store.runs.list()[0]?.id ?? '');
}

async function violations(page: Page): Promise<string[]> {
  const found = await page.evaluate(async (rules) => {
    const axe: { run: (options: object) => Promise<AxeResults> } = Reflect.get(window, 'axe');
    const results = await axe.run({ runOnly: rules });
    return results.violations.map(
      ({ id, impact, nodes }) =>
        `${impact} ${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`,
    );
  }, RULES);
  return found;
}

test.each([
  ['light', 1280],
  ['light', 390],
  ['dark', 1280],
  ['dark', 390],
] as const)('no page breaks a rule of WCAG 2.2 AA: %s, %i pixels wide', async (colorScheme, width) => {
  await using simulator = await createSimulator();
  await using bench = await testWorkbench({ simulator: simulator.origin });
  await using context = await openChromium();
  await context.addInitScript({ path: AXE });
  const page = await context.newPage();
  const addressOf = await furnish(page, bench);
  const faults: string[] = [];
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.setViewportSize({ width, height: width === 390 ? 844 : 800 });
  for (const { hash, ready, open: more = [] } of PAGES) {
    await open(page, bench, addressOf(hash));
    await page.locator(ready).first().waitFor();
    for (const opener of more) await page.locator(opener).first().click();
    // a control that is half scrolled under the bar would count as too small
    await page.evaluate(() => window.scrollTo(0, 0));
    for (const fault of await violations(page)) faults.push(`${hash}: ${fault}`);
  }
  expect(faults).toEqual([]);
});

test('the dialogs and the marking mode break no rule', async () => {
  await using bench = await testWorkbench();
  await using context = await openChromium();
  await context.addInitScript({ path: AXE });
  const page = await context.newPage();
  await signIn(page, bench, 'Ada');
  await open(page, bench, LABEL);
  await page.locator('section.judged').waitFor();
  const faults: string[] = [];
  for (const keys of [['?'], ['Escape', 'g'], ['g', 'n'], ['Escape', 'e', 'ArrowRight']]) {
    for (const key of keys) await page.keyboard.press(key);
    for (const fault of await violations(page)) faults.push(`${keys.join(' ')}: ${fault}`);
  }
  expect(faults).toEqual([]);
});

test('nothing has to be scrolled sideways on a screen of 320 pixels', async () => {
  await using simulator = await createSimulator();
  await using bench = await testWorkbench({ simulator: simulator.origin });
  await using context = await openChromium();
  const page = await context.newPage();
  const addressOf = await furnish(page, bench);
  await page.setViewportSize({ width: 320, height: 640 });
  const wide: string[] = [];
  for (const { hash, ready } of PAGES) {
    await open(page, bench, addressOf(hash));
    await page.locator(ready).first().waitFor();
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    if (overflow > 0) wide.push(`${hash}: ${overflow} pixels too wide`);
  }
  expect(wide).toEqual([]);
});
