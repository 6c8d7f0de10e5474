import type { Page } from 'playwright-core';
import type { TestWorkbench } from './workbench.ts';

/** Signs a browser in and gives its person a name, without the pages' help. */
export async function signIn(page: Page, bench: TestWorkbench, annotator: string): Promise<void> {
  await page.goto(bench.link());
  await page.evaluate(async (name) => {
    const body = JSON.stringify({ annotator: name });
    await fetch('/api/session/annotator', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    });
  }, annotator);
}

/** Opens a page anew, as if its address had been typed. */
export async function open(page: Page, bench: TestWorkbench, hash: string): Promise<void> {
  await page.goto('about:blank');
  await page.goto(`${bench.url}/${hash}`);
}
