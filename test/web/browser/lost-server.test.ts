import { expect, test } from 'vitest';
import { openChromium } from './chromium.ts';
import { answerReply, saved } from './keyboard.ts';
import { open, signIn } from './signed-in.ts';
import { testWorkbench } from './workbench.ts';

const LABEL = '#/label?dataset=refund-replies&rubric=refund-reply@1';

test('the server goes and comes back: labelling goes on, and nothing is lost or stored twice', async () => {
  await using bench = await testWorkbench();
  await using context = await openChromium();
  const page = await context.newPage();
  await signIn(page, bench, 'Ada');
  await open(page, bench, LABEL);
  const labelled = [await answerReply(page, ['3', '1', '4'])];
  await saved(page);
  await bench.stop();
  // The sample in sight and three more are there already; the next can't be fetched now.
  for (let n = 0; n < 4; n++) labelled.push(await answerReply(page, ['2', '1', '3']));
  await page.getByText('Offline: 12 kept here').waitFor();
  await page.getByText('the server doesn’t answer').waitFor();

  await bench.start();
  await page.getByRole('button', { name: 'Try now' }).click();
  await saved(page);
  // The sample that could not be fetched comes by itself.
  labelled.push(await answerReply(page, ['1', '2', '1']));
  await saved(page);
  const { store } = bench.services();
  const dataset = store.samples.dataset('refund-replies').id;
  const standing = store.labels.standing(dataset, 'refund-reply@1');
  expect(new Set(standing.map(({ label }) => label.sample))).toEqual(new Set(labelled));
  expect(standing.length).toBe(18);
  expect(standing.every(({ label }) => label.revision === 1)).toBe(true);
});

test('what was not sent when the browser was closed is sent when it comes back', async () => {
  await using bench = await testWorkbench();
  await using context = await openChromium();
  const page = await context.newPage();
  await signIn(page, bench, 'Ada');
  await open(page, bench, LABEL);
  await answerReply(page, ['3', '1', '4']);
  await saved(page);
  await bench.stop();
  const sample = await answerReply(page, ['2', '2', '2']);
  await page.getByText('Offline: 3 kept here').waitFor();
  await page.close({ runBeforeUnload: false });
  await bench.start();
  const again = await context.newPage();
  await again.goto(bench.url);
  await saved(again);
  const { store } = bench.services();
  const found = store.samples.find(sample);
  const labels = store.labels.ofSample(found?.seq ?? 0, 'refund-reply@1', 'Ada');
  expect(labels.map(({ what }) => (what.act === 'label' ? what.value : what.act))).toEqual(['2', 'yes', '2']);
});
