import { expect, test } from 'vitest';
import { identify } from '../../../core/sample.ts';
import { SampleBrowser } from '../../../web/samples/browser.svelte.ts';

/** A dataset of so many samples, a page of 50 at a time. */
function browserOf(count: number) {
  const asked: { q: string; after: number }[] = [];
  const browser = new SampleBrowser({
    fetch: async ({ q, after }) => {
      asked.push({ q, after });
      const samples = Array.from({ length: Math.min(50, count - after) }, (_, index) => ({
        seq: after + index + 1,
        sample: identify({ kind: 'single', input: `${after + index}`, output: '' }, { metadata: {} }),
      }));
      return { ok: true, value: { samples, next: samples.length < 50 ? null : after + 50 } };
    },
  });
  return { browser, asked };
}

test('fetches page after page, and none past the end', async () => {
  const { browser, asked } = browserOf(120);
  await browser.open('d', '');
  for (let n = 0; n < 4; n++) await browser.more();
  expect([browser.rows.length, browser.next, asked.map(({ after }) => after)]).toEqual([
    120,
    null,
    [0, 50, 100],
  ]);
});

test('asks for one page once, however often it is scrolled', async () => {
  const { browser, asked } = browserOf(120);
  await browser.open('d', '');
  await Promise.all([browser.more(), browser.more(), browser.more()]);
  expect(asked.length).toBe(2);
});

test('what a search overtook is dropped', async () => {
  const { browser } = browserOf(120);
  const slow = browser.open('d', '');
  await browser.open('d', 'teapot');
  await slow;
  expect(browser.rows.length).toBe(50);
});
