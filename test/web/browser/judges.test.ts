import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createSimulator } from '../../simulator/simulator.ts';
import { openChromium } from './chromium.ts';
import { tabTo } from './keyboard.ts';
import { open, signIn } from './signed-in.ts';
import { type TestWorkbench, testWorkbench } from './workbench.ts';

const JUDGE = 'simulated-accuracy@1';

function writeNextVersion({ workspace }: TestWorkbench): void {
  const one = readFileSync(workspace.path('judges/simulated-accuracy/v1.yaml'), 'utf8');
  const two = one.replace('version: 1', 'version: 2').replace('sim-judge-2026-01-01', 'sim-judge-2026-02-01');
  workspace.write('judges/simulated-accuracy/v2.yaml', two);
}

test('two versions are compared by what their hashes are made of, the changed words marked', async () => {
  await using bench = await testWorkbench();
  await using context = await openChromium();
  const page = await context.newPage();
  writeNextVersion(bench);
  await signIn(page, bench, 'Ada');
  await open(page, bench, '#/judges');
  await page.getByRole('link', { name: 'simulated-accuracy@2' }).click();
  await page.getByText('simulated-accuracy@2 is another judge than simulated-accuracy@1.').waitFor();
  await page.getByText('does not carry over to simulated-accuracy@2').waitFor();
  const file = page.getByRole('region', { name: 'The judge’s file' });
  expect(await file.locator('mark.removed').allTextContents()).toEqual(['01', '1']);
  expect(await file.locator('mark.added').allTextContents()).toEqual(['02', '2']);
  await page.getByText('The same in both: the rubric, the prompt, the few-shots.').waitFor();
  await page.getByLabel('Compare with').selectOption('refund-accuracy@1');
  await page.getByText('simulated-accuracy@2 is another judge than refund-accuracy@1.').waitFor();
  expect(page.url()).toContain('with=refund-accuracy');
});

/** Two of the demonstration's 98 replies are no answers at all, which no judge is asked about. */
const TO_SEND = 96;

test('a run is started, stopped and gone on with by keyboard, and no call is paid for twice', async () => {
  await using simulator = await createSimulator({ latencyMs: 600 });
  await using bench = await testWorkbench({ simulator: simulator.origin });
  await using context = await openChromium();
  const page = await context.newPage();
  await signIn(page, bench, 'Ada');
  await open(page, bench, `#/judges?judge=${JUDGE}`);
  await page
    .getByText(`To send: ${TO_SEND} calls of 98; 0 answered before, 2 settled without a call.`)
    .waitFor();
  await tabTo(page, `Run ${JUDGE}`);
  await page.keyboard.press('Enter');
  await page.getByText(/about .* left/).waitFor();
  await tabTo(page, 'Stop');
  await page.keyboard.press('Enter');
  await page.getByText('stopped by request').first().waitFor();
  const before = simulator.calls.length;
  expect(before).toBeLessThan(TO_SEND);
  await page.getByRole('link', { name: 'stopped' }).click();
  await page.getByText('to go on asks only what is still open').waitFor();
  await tabTo(page, 'Go on with this run');
  await page.keyboard.press('Enter');
  await page.getByText('done', { exact: true }).waitFor({ timeout: 30_000 });
  await page.getByText('98 of 98 calls have an answer').waitFor();
  await page.getByText(`${TO_SEND} requests sent`).waitFor();
  expect(simulator.calls.length).toBe(TO_SEND);
});

test('a run that can’t begin says why, with the way out', async () => {
  await using bench = await testWorkbench();
  await using context = await openChromium();
  const page = await context.newPage();
  await signIn(page, bench, 'Ada');
  await open(page, bench, '#/judges?judge=refund-accuracy@1');
  await page.getByRole('button', { name: 'Run refund-accuracy@1' }).click();
  await page.getByRole('alert').getByText('ANTHROPIC_API_KEY').first().waitFor();
});
