import { expect, test } from 'vitest';
import { openChromium } from './chromium.ts';
import { open, signIn } from './signed-in.ts';
import { testWorkbench } from './workbench.ts';

test('a browser that is not signed in is told how to be', async () => {
  await using bench = await testWorkbench();
  await using context = await openChromium();
  const page = await context.newPage();
  await page.goto(bench.url);
  await page.getByText('this browser is not signed in').waitFor();
  await page.getByText('Open the link that `touchstone serve` printed.').waitFor();
});

test('a file is imported, and each row that was left out is told with its line', async () => {
  await using bench = await testWorkbench({ empty: true });
  await using context = await openChromium();
  const page = await context.newPage();
  await signIn(page, bench, 'Ada');
  await open(page, bench, '#/');
  await page.getByRole('link', { name: /Import samples to label/ }).click();
  const rows = [
    '{"id":"one","question":"hi","reply":"ho"}',
    'no json',
    '{"id":"two","question":"q","reply":"r"}',
  ];
  await page.getByLabel(/^File/).setInputFiles({
    name: 'My Replies.jsonl',
    mimeType: 'application/jsonl',
    buffer: Buffer.from(rows.join('\n')),
  });
  expect(await page.getByLabel('Dataset', { exact: true }).inputValue()).toBe('my-replies');
  await page.getByLabel(/^Mapping/).fill('input=question\noutput=reply');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByText('3 rows: 2 added, 0 known, 1 rejected.').waitFor();
  await page.getByText(/^line 2: /).waitFor();
  expect(await page.getByRole('navigation', { name: 'Samples' }).getByRole('link').count()).toBe(2);
});

test('a search narrows the list, and a sample has an address of its own', async () => {
  await using bench = await testWorkbench();
  await using context = await openChromium();
  const page = await context.newPage();
  await signIn(page, bench, 'Ada');
  await open(page, bench, '#/samples?dataset=refund-replies');
  const list = page.getByRole('navigation', { name: 'Samples' });
  await page.getByRole('searchbox').fill('teapot');
  await page.waitForFunction(() => location.hash.includes('q=teapot'));
  await list.getByRole('link').first().click();
  await page.locator('section.judged').waitFor();
  const address = page.url();
  await page.goto('about:blank');
  await page.goto(address);
  await page.locator('section.judged').waitFor();
  expect(await page.getByRole('searchbox').inputValue()).toBe('teapot');
  for (const text of await list.getByRole('link').allTextContents()) expect(text.length).toBeGreaterThan(0);
});

test('a long dataset is drawn as far as it is seen, and goes on as it is scrolled', async () => {
  await using bench = await testWorkbench({ empty: true });
  await using context = await openChromium();
  const page = await context.newPage();
  await signIn(page, bench, 'Ada');
  const rows = Array.from({ length: 1000 }, (_, n) =>
    JSON.stringify({ id: `row-${n}`, input: `question ${n}`, output: `answer ${n}` }),
  );
  await open(page, bench, '#/samples?import=yes');
  await page.getByLabel(/^File/).setInputFiles({
    name: 'long.jsonl',
    mimeType: 'application/jsonl',
    buffer: Buffer.from(rows.join('\n')),
  });
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const list = page.getByRole('navigation', { name: 'Samples' });
  await list.getByRole('link').first().waitFor();
  expect(await list.getByRole('link').count()).toBeLessThan(40);
  for (let turn = 0; turn < 60 && (await list.getByText('row-999', { exact: true }).count()) === 0; turn++) {
    await list.locator('> div').evaluate((pane) => pane.scrollTo(0, pane.scrollHeight));
    await page.waitForTimeout(100);
  }
  expect(await list.getByText('row-999', { exact: true }).count()).toBe(1);
  expect(await list.getByRole('link').count()).toBeLessThan(40);
});

test('a file that can’t be read is told with its place, and hides no other', async () => {
  await using bench = await testWorkbench();
  await using context = await openChromium();
  const page = await context.newPage();
  await signIn(page, bench, 'Ada');
  bench.workspace.write(
    'rubrics/broken/v1.yaml',
    'rubric: broken\nversion: 1\ntitle: t\ntask: t\ncriteria: none\n',
  );
  await open(page, bench, '#/rubrics');
  await page.getByText('rubrics/broken/v1.yaml:5:11 criteria').waitFor();
  expect(await page.getByRole('heading', { level: 2 }).count()).toBe(2);
});

test('what others said is shown only when asked for, and the store remembers who has seen it', async () => {
  await using bench = await testWorkbench();
  await using context = await openChromium();
  const page = await context.newPage();
  await signIn(page, bench, 'Ada');
  const { store } = bench.services();
  const [row] = store.samples.page(store.samples.dataset('refund-replies').id, {
    after: 0,
    limit: 1,
    query: '',
  });
  await open(page, bench, `#/samples?dataset=refund-replies&sample=${row?.sample.id}`);
  await page.locator('section.judged').waitFor();
  expect(store.labels.revealed(row?.seq ?? 0, ['Ada'])).toBe(false);
  await page.getByRole('button', { name: 'Show what others said' }).click();
  await page.getByText('No person has labelled it.').waitFor();
  expect(store.labels.revealed(row?.seq ?? 0, ['Ada'])).toBe(true);
});

test('light and dark follow the system, and a choice of one’s own stays', async () => {
  await using bench = await testWorkbench();
  await using context = await openChromium();
  const page = await context.newPage();
  await page.emulateMedia({ colorScheme: 'dark' });
  await signIn(page, bench, 'Ada');
  await open(page, bench, '#/');
  const paper = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const dark = await paper();
  await page.getByRole('button', { name: /^Colours/ }).click();
  const light = await paper();
  await page.reload();
  await page.getByRole('heading', { name: 'What is waiting' }).waitFor();
  expect([dark, light, await paper()]).toEqual([
    'rgb(23, 25, 27)',
    'rgb(255, 255, 255)',
    'rgb(255, 255, 255)',
  ]);
});
