import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { identify, type Sample } from '../../../core/sample.ts';
import { median } from '../../../web/label/pace.ts';
import { openChromium } from './chromium.ts';
import { answerReply, sampleInAddress, saved } from './keyboard.ts';
import { open, signIn } from './signed-in.ts';
import { type TestWorkbench, testWorkbench } from './workbench.ts';

const REPLIES = '#/label?dataset=refund-replies&rubric=refund-reply@1';
const PAIRS = '#/label?dataset=refund-pairs&rubric=refund-pair@1';

async function room(page: Page, bench: TestWorkbench, hash: string): Promise<void> {
  await signIn(page, bench, 'Ada');
  await open(page, bench, hash);
  await page.locator('section.judged').first().waitFor();
}

function labelsOf(bench: TestWorkbench, sample: string | null, rubric = 'refund-reply@1') {
  const { store } = bench.services();
  return store.labels.ofSample(store.samples.find(sample ?? '')?.seq ?? 0, rubric, 'Ada');
}

test('a key press paints the next sample at once, and asks the server for nothing that it shows', async () => {
  await using bench = await testWorkbench();
  await using context = await openChromium();
  const page = await context.newPage();
  await room(page, bench, REPLIES);
  // What is fetched ahead has come; from here on every answer of the server is held back.
  await page.waitForLoadState('networkidle');
  await page.route('**/api/**', (route) => setTimeout(() => void route.continue().catch(() => {}), 5000));
  const delays: number[] = [];
  for (let n = 0; n < 3; n++) {
    const before = await page.locator('[data-text=input]').textContent();
    delays.push(
      await page.evaluate(async () => {
        const press = (key: string) => window.dispatchEvent(new KeyboardEvent('keydown', { key }));
        for (const key of ['3', '1', '4']) press(key);
        const started = performance.now();
        press('Enter');
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
        return performance.now() - started;
      }),
    );
    expect(await page.locator('[data-text=input]').textContent()).not.toBe(before);
  }
  expect(median(delays)).toBeLessThan(100);
  expect(await page.getByText('Saving…').isVisible()).toBe(true);
});

test('the browser’s back button leads back through the samples, and forward again', async () => {
  await using bench = await testWorkbench();
  await using context = await openChromium();
  const page = await context.newPage();
  await room(page, bench, REPLIES);
  const path = [sampleInAddress(page)];
  for (let n = 0; n < 3; n++) {
    await answerReply(page, ['3', '1', '4']);
    path.push(sampleInAddress(page));
  }
  for (const sample of path.toReversed().slice(1)) {
    await page.goBack();
    await page.waitForFunction((wanted) => location.hash.includes(wanted ?? ''), sample);
    expect(await page.locator('input[name=tone]:checked').count()).toBe(1);
  }
  await page.goForward();
  expect(sampleInAddress(page)).toBe(path[1]);
});

test('the left reply is the one that the server says, and the label names the reply, not its side', async () => {
  await using bench = await testWorkbench();
  await using context = await openChromium();
  const page = await context.newPage();
  await room(page, bench, PAIRS);
  const { store } = bench.services();
  const sides = new Set<string | null>();
  for (let n = 0; n < 8; n++) {
    const id = sampleInAddress(page) ?? '';
    const content = store.samples.find(id)?.sample.content;
    const left = await page.locator('section.judged [data-text]').first().textContent();
    await page.keyboard.press('1');
    await page.waitForFunction((was) => !location.hash.includes(was), id);
    await saved(page);
    const [label] = labelsOf(bench, id, 'refund-pair@1');
    const value = label?.what.act === 'label' ? label.what.value : '';
    expect(content?.kind === 'pair' && (value === 'a' ? content.outputs.a : content.outputs.b)).toBe(left);
    expect(label?.order).toBe(value === 'a' ? 'ab' : 'ba');
    sides.add(label?.order ?? null);
  }
  expect(sides).toEqual(new Set(['ab', 'ba']));
});

test('two panes scroll together where that is wanted', async () => {
  await using bench = await testWorkbench();
  await using context = await openChromium();
  const page = await context.newPage();
  await page.setViewportSize({ width: 1000, height: 120 });
  const { store } = bench.services();
  const shorter = ({ content }: Sample) =>
    content.kind === 'pair' ? Math.min(content.outputs.a.length, content.outputs.b.length) : 0;
  const [long] = [...store.samples.all(store.samples.dataset('refund-pairs').id)]
    .map(({ sample }) => sample)
    .sort((one, other) => shorter(other) - shorter(one));
  await room(page, bench, `${PAIRS}&sample=${long?.id}`);
  const scrolled = () =>
    page
      .locator('section.body')
      .evaluateAll((panes) =>
        panes.map((pane) => pane.scrollHeight > pane.clientHeight && pane.scrollTop > 0),
      );
  await page
    .locator('section.body')
    .first()
    .evaluate((pane) => pane.scrollTo(0, pane.scrollHeight));
  await expect.poll(scrolled).toEqual([true, true]);
  await page.getByLabel('Scroll both together').dispatchEvent('click');
  await page
    .locator('section.body')
    .first()
    .evaluate((pane) => pane.scrollTo(0, 0));
  await expect.poll(scrolled).toEqual([false, true]);
});

test('a passage is marked by mouse and by key, with the offsets of the raw text, and found again after a reload', async () => {
  await using bench = await testWorkbench();
  await using context = await openChromium();
  const page = await context.newPage();
  await room(page, bench, REPLIES);
  const id = sampleInAddress(page);
  const { store } = bench.services();
  const text = await page.locator('[data-text=output]').textContent();
  await page.locator('[data-text=output]').dblclick({ position: { x: 30, y: 10 } });
  await page.keyboard.press('e');
  await page.keyboard.press('e');
  for (const key of ['ArrowRight', 'ArrowRight', 'Enter', 'ArrowRight', 'ArrowRight', 'Enter'])
    await page.keyboard.press(key);
  expect(await page.locator('mark.mine').count()).toBeGreaterThan(0);
  await page.reload();
  await page.locator('mark.mine').first().waitFor();
  await page.keyboard.press('3');
  await saved(page);
  const [label] = labelsOf(bench, id);
  expect(label?.evidence.length).toBe(2);
  for (const span of label?.evidence ?? []) {
    expect(span.field).toBe('output');
    expect(text?.slice(span.start, span.end)).toBe(span.quote);
  }
  const content = store.samples.find(id ?? '')?.sample.content;
  expect(content?.kind === 'single' && content.output).toBe(text);
});

test('a note is written, left by Esc, and goes with the label; Ctrl + Enter saves and goes on', async () => {
  await using bench = await testWorkbench();
  await using context = await openChromium();
  const page = await context.newPage();
  await room(page, bench, REPLIES);
  const id = sampleInAddress(page);
  await page.keyboard.press('n');
  await page.keyboard.type('1 is not 2, said z');
  await page.keyboard.press('Escape');
  await page.keyboard.press('3');
  await page.keyboard.press('1');
  await page.keyboard.press('n');
  await page.keyboard.type('friendly');
  await page.keyboard.press('Escape');
  await page.keyboard.press('4');
  await page.waitForFunction((was) => !location.hash.includes(was ?? ''), id);
  await saved(page);
  expect(Object.fromEntries(labelsOf(bench, id).map((label) => [label.criterion, label.note]))).toEqual({
    accuracy: '1 is not 2, said z',
    approval: '',
    tone: 'friendly',
  });
  const second = sampleInAddress(page);
  for (const key of ['2', '1']) await page.keyboard.press(key);
  await page.keyboard.press('3');
  await page.keyboard.press('n');
  await page.keyboard.type('after');
  await page.keyboard.press('Control+Enter');
  await page.waitForFunction((was) => !location.hash.includes(was ?? ''), second);
  await saved(page);
  expect(labelsOf(bench, second).at(-1)).toMatchObject({ criterion: 'tone', note: 'after', revision: 2 });
});

test('skip, flag, unsure, undo and redo do what the key sheet says', async () => {
  await using bench = await testWorkbench();
  await using context = await openChromium();
  const page = await context.newPage();
  await room(page, bench, REPLIES);
  const first = sampleInAddress(page);
  await page.keyboard.press('s');
  await page.waitForFunction((was) => !location.hash.includes(was ?? ''), first);
  await page.keyboard.press('z');
  await page.waitForFunction((was) => location.hash.includes(was ?? ''), first);
  await page.keyboard.press('u');
  await page.keyboard.press('2');
  await page.keyboard.press('f');
  await page.getByRole('button', { name: 'Flagged' }).waitFor();
  await page.keyboard.press('z');
  await page.keyboard.press('z');
  await page.keyboard.press('Shift+Z');
  await saved(page);
  const acts = labelsOf(bench, first)
    .filter(({ criterion }) => criterion === 'accuracy')
    .map(({ what }) => (what.act === 'label' ? `${what.value}${what.unsure ? '?' : ''}` : what.act));
  expect(acts).toEqual(['skip', 'clear', '2?', 'flag', '2?', 'clear', '2?']);
});

test('guidelines and key sheet open and close by one key, and no key labels behind them', async () => {
  await using bench = await testWorkbench();
  await using context = await openChromium();
  const page = await context.newPage();
  await room(page, bench, REPLIES);
  for (const [key, title] of [
    ['g', /A drafted reply about a refund, version 1/],
    ['?', 'Keys'],
  ] as const) {
    await page.keyboard.press(key);
    await page.getByRole('dialog', { name: title }).waitFor();
    await page.keyboard.press('3');
    await page.keyboard.press(key);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  expect(await page.locator('input:checked').count()).toBe(0);
});

test('single keys can be switched off, and stay off', async () => {
  await using bench = await testWorkbench();
  await using context = await openChromium();
  const page = await context.newPage();
  await room(page, bench, REPLIES);
  await page.keyboard.press('?');
  await page.getByText('Single keys act').click();
  await page.keyboard.press('Escape');
  await page.reload();
  await page.locator('section.judged').waitFor();
  for (const key of ['3', 's', 'f', 'ArrowRight']) await page.keyboard.press(key);
  expect(await page.locator('input:checked').count()).toBe(0);
  await page.getByRole('radio', { name: /^Supported/ }).check();
  await saved(page);
  expect(labelsOf(bench, sampleInAddress(page)).length).toBe(1);
});

test('radios are native: Tab enters a group, the arrows choose within it', async () => {
  await using bench = await testWorkbench();
  await using context = await openChromium();
  const page = await context.newPage();
  await room(page, bench, REPLIES);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowDown');
  expect(
    await page
      .locator('input[name=accuracy]')
      .evaluateAll((radios) => radios.map((radio) => radio.matches(':checked'))),
  ).toEqual([false, true, false, false]);
});

test('two windows of one person: the second answer asks before it stands', async () => {
  await using bench = await testWorkbench();
  await using context = await openChromium();
  const [one, two] = [await context.newPage(), await context.newPage()];
  await room(one, bench, REPLIES);
  const sample = sampleInAddress(one);
  await open(two, bench, `${REPLIES}&sample=${sample}`);
  await two.locator('section.judged').waitFor();
  await one.keyboard.press('3');
  await saved(one);
  await two.keyboard.press('1');
  await two.getByText('you answered “1” here, and “3” stands from another window').waitFor();
  await two.getByRole('button', { name: 'Use “1”' }).click();
  await saved(two);
  expect(labelsOf(bench, sample).map(({ what }) => what.act === 'label' && what.value)).toEqual(['3', '1']);
});

test('the end says what was done and what is next', async () => {
  await using bench = await testWorkbench();
  await using context = await openChromium();
  const page = await context.newPage();
  await room(page, bench, PAIRS);
  for (let n = 0; n < 31; n++) {
    const id = sampleInAddress(page) ?? '';
    await page.locator('section.judged').first().waitFor();
    await page.keyboard.press('2');
    await page.keyboard.press('Enter');
    await page.waitForFunction((was) => !location.hash.includes(was), id);
  }
  await page.keyboard.press('s');
  await page.getByRole('heading', { name: 'That was the last one.' }).waitFor();
  await page.getByRole('button', { name: 'Go through the skipped ones' }).click();
  await page.keyboard.press('0');
  await page.getByRole('heading', { name: 'Every sample is labelled.' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Every sample is labelled.' }).waitFor();
});

test('what is selected by mouse is marked by the button, too', async () => {
  await using bench = await testWorkbench();
  await using context = await openChromium();
  const page = await context.newPage();
  await room(page, bench, REPLIES);
  await page.locator('[data-text=output]').dblclick({ position: { x: 30, y: 10 } });
  await page.getByRole('button', { name: /^Evidence/ }).click();
  expect(await page.getByRole('list', { name: 'Evidence' }).getByRole('listitem').count()).toBe(1);
  expect(await page.locator('mark.mine').count()).toBe(1);
});

test('a trace is walked by key, a step is evidence as a whole, and nothing tells which model it was', async () => {
  await using bench = await testWorkbench();
  await using context = await openChromium();
  const page = await context.newPage();
  const { store } = bench.services();
  const tier = 'executed' as const;
  const lines = Array.from({ length: 40 }, (_, n) => `line ${n}`).join('\n');
  const sample = identify(
    {
      kind: 'trace',
      input: 'q',
      trace: {
        steps: [
          { type: 'model', model: 'secret-model-2026', usage: null, cost_usd: null, tier },
          { type: 'tool', tool: 'read', arguments: {}, ok: true, result: lines, events: [], tier },
          { type: 'message', role: 'assistant', content: 'Done.', tier },
        ],
      },
    },
    { metadata: {} },
  );
  store.write(() => store.samples.insert(store.samples.ensureDataset('traces', null, '').id, sample));
  await signIn(page, bench, 'Ada');
  const bodies: string[] = [];
  page.on('response', async (response) => {
    if (response.url().includes('/api/')) bodies.push(await response.text().catch(() => ''));
  });
  await open(page, bench, '#/label?dataset=traces&rubric=refund-reply@1');
  await page.locator('[data-step="3"]').waitFor();
  for (const key of [']', ']']) await page.keyboard.press(key);
  expect(await page.locator('[data-text="trace:2"]').textContent()).not.toContain('line 39');
  await page.keyboard.press('o');
  expect(await page.locator('[data-text="trace:2"]').textContent()).toContain('line 39');
  await page.keyboard.press('m');
  await page.keyboard.press('3');
  await saved(page);
  const [label] = labelsOf(bench, sample.id);
  expect(label?.evidence).toEqual([
    { field: 'trace', step: 2, start: 0, end: 9 + lines.length, quote: `read({})\n${lines}` },
  ]);
  expect(bodies.join() + (await page.content())).not.toContain('secret-model');
});
