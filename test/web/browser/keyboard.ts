import type { Page } from 'playwright-core';

/** Presses Tab until the focus is on something whose name or text begins so. @throws after a hundred presses. */
export async function tabTo(page: Page, name: string): Promise<void> {
  for (let press = 0; press < 100; press++) {
    await page.keyboard.press('Tab');
    const here = await page.evaluate(() => {
      const { activeElement } = document;
      const field = activeElement?.closest('label')?.querySelector('span')?.textContent;
      return (activeElement?.getAttribute('aria-label') ?? field ?? activeElement?.textContent ?? '').trim();
    });
    if (here.startsWith(name)) return;
  }
  throw new Error(`Tab never reached “${name}” on ${page.url()}`);
}

/** The sample that the address names. */
export function sampleInAddress(page: Page): string | null {
  return new URLSearchParams(page.url().split('?')[1]).get('sample');
}

/** Answers one sample of the refund replies by key, and waits until the next one is there. */
export async function answerReply(page: Page, keys: readonly [string, string, string]): Promise<string> {
  await page.locator('section.judged').first().waitFor();
  const sample = sampleInAddress(page) ?? '';
  for (const key of keys) await page.keyboard.press(key);
  await page.waitForFunction((was) => !location.hash.includes(was), sample);
  return sample;
}

/** Waits until the page says that everything is saved. */
export async function saved(page: Page): Promise<void> {
  await page
    .getByRole('status')
    .filter({ hasText: /^Saved$/ })
    .waitFor();
}
