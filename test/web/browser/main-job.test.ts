import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openChromium } from './chromium.ts';
import { answerReply, sampleInAddress, saved, tabTo } from './keyboard.ts';
import { NO_MISDEEDS, watchedPage } from './watched-page.ts';
import { testWorkbench } from './workbench.ts';

test('the whole job by keyboard alone: label, reload, change, freeze, run, measure, accept, export', async () => {
  await using bench = await testWorkbench();
  await using context = await openChromium();
  const { page, misdeeds } = await watchedPage(context, bench.url);
  await page.goto(bench.link());
  await page.getByRole('heading', { name: 'Three jobs' }).waitFor();

  await tabTo(page, 'Begin to label');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Who labels?' }).waitFor();
  await tabTo(page, 'Your name');
  await page.keyboard.type('Ada');
  await page.keyboard.press('Enter');
  await tabTo(page, 'refund-replies');
  await page.keyboard.press('Enter');

  const labelled: string[] = [];
  for (let n = 0; n < 20; n++) {
    if (n === 10) {
      await page.keyboard.press('3');
      const before = sampleInAddress(page);
      await page.reload();
      await page.locator('section.judged').waitFor();
      expect(sampleInAddress(page)).toBe(before);
      expect(await page.getByRole('radio', { name: 'Supported', exact: true }).isChecked()).toBe(true);
      await page.keyboard.press('1');
      await page.keyboard.press('4');
      await page.waitForFunction((was) => !location.hash.includes(was ?? ''), before);
      labelled.push(before ?? '');
      continue;
    }
    labelled.push(
      await answerReply(page, [String(1 + (n % 3)), n % 4 === 0 ? '2' : '1', String(1 + (n % 4))]),
    );
  }
  expect(new Set(labelled).size).toBe(20);

  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  const changed = sampleInAddress(page) ?? '';
  expect(changed).toBe(labelled[18]);
  await page.keyboard.press('3');
  await saved(page);
  const { store } = bench.services();
  const dataset = store.samples.dataset('refund-replies').id;
  const standing = store.labels.standing(dataset, 'refund-reply@1', { criterion: 'accuracy' });
  expect(standing.length).toBe(20);
  expect(standing.find(({ label }) => label.sample === changed)?.label).toMatchObject({
    what: { act: 'label', value: '3' },
    revision: 2,
    annotator: 'Ada',
    saw: 'blind',
  });

  await tabTo(page, 'Agreement');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Freeze a label set' }).waitFor();
  await tabTo(page, 'Freeze refund-replies');
  await page.keyboard.press('Enter');
  await page.getByText('of refund-replies@1').first().waitFor();

  await tabTo(page, 'Judges');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Judges' }).waitFor();
  await tabTo(page, 'overlap-accuracy@1');
  await page.keyboard.press('Enter');
  await tabTo(page, 'Run overlap-accuracy@1');
  await page.keyboard.press('Enter');
  await page.getByText('98 of 98 calls answered').waitFor();
  await tabTo(page, 'Agreement of overlap-accuracy@1');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: /overlap-accuracy@1 agrees with people at κ/ }).waitFor();
  expect(await page.getByRole('figure', { name: 'Agreement with its intervals' }).isVisible()).toBe(true);

  await page.keyboard.press('j');
  await tabTo(page, 'Show texts, labels and verdicts');
  await page.keyboard.press('Enter');
  await page.getByRole('list', { name: 'Verdicts' }).waitFor();

  await tabTo(page, 'Calibrate overlap-accuracy@1');
  await page.keyboard.press('Enter');
  await tabTo(page, 'Why you measure');
  await page.keyboard.type('the first measurement');
  await tabTo(page, 'Measure overlap-accuracy@1');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Accept overlap-accuracy@1' }).waitFor();
  await tabTo(page, 'Accept as Ada');
  await page.keyboard.press('Enter');
  await page.getByText('judges/overlap-accuracy/v1.calibration.yaml').waitFor();
  expect(existsSync(bench.workspace.path('judges/overlap-accuracy/v1.calibration.yaml'))).toBe(true);
  expect(existsSync(bench.workspace.path('labels/refund-replies/v1.jsonl'))).toBe(true);

  await tabTo(page, 'Export it to a suite');
  await page.keyboard.press('Enter');
  await page.getByText('- {judge: overlap-accuracy@1, on: reply, required: true}').waitFor();
  const downloading = page.waitForEvent('download');
  await tabTo(page, 'Download the file');
  await page.keyboard.press('Enter');
  expect((await downloading).suggestedFilename()).toBe('overlap-accuracy.v1.calibration.yaml');
  expect(misdeeds).toEqual(NO_MISDEEDS);
});
