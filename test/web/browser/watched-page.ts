import type { BrowserContext, Page } from 'playwright-core';

/** What a page did that it must not do. */
export interface Misdeeds {
  dialogs: string[];
  /** Reports of the content security policy. */
  policy: string[];
  /** Requests to anywhere but our own server. */
  strangers: string[];
  errors: string[];
}

/** A page that is watched from its first moment. */
export async function watchedPage(
  context: BrowserContext,
  url: string,
): Promise<{ page: Page; misdeeds: Misdeeds }> {
  const misdeeds: Misdeeds = { dialogs: [], policy: [], strangers: [], errors: [] };
  const page = await context.newPage();
  page.on('dialog', (dialog) => {
    misdeeds.dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(`${url}/`) && !request.url().startsWith('data:'))
      misdeeds.strangers.push(request.url());
  });
  page.on('pageerror', (error) => misdeeds.errors.push(error.message));
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) misdeeds.policy.push(message.text());
  });
  await page.exposeBinding('tellPolicy', (_, report: string) => void misdeeds.policy.push(report));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const tell: unknown = Reflect.get(window, 'tellPolicy');
      if (typeof tell === 'function') tell(`${event.violatedDirective} ${event.blockedURI}`);
    });
  });
  return { page, misdeeds };
}

export const NO_MISDEEDS: Misdeeds = { dialogs: [], policy: [], strangers: [], errors: [] };
