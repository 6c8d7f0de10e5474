import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type BrowserContext, chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/** The browser that the tests drive. @throws where there is none, with how to get one. */
export function findChromium(env = process.env): string {
  const wanted = env.CHROMIUM_PATH;
  const folders = ['/usr/bin', ...(env.PATH ?? '').split(delimiter)];
  const candidates =
    wanted === undefined ? NAMES.flatMap((name) => folders.map((folder) => join(folder, name))) : [wanted];
  const found = candidates.find((path) => existsSync(path));
  if (found !== undefined) return found;
  throw new Error(
    wanted === undefined
      ? 'the tests of the pages need Chromium: apt-get install chromium, or set CHROMIUM_PATH to a browser'
      : `CHROMIUM_PATH names ${wanted}, which does not exist`,
  );
}

/** A fresh browser with a profile of its own, gone when the test is over. */
export async function openChromium(): Promise<BrowserContext & AsyncDisposable> {
  const profile = mkdtempSync(join(tmpdir(), 'touchstone-chromium-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: findChromium(),
    headless: true,
    viewport: { width: 1280, height: 800 },
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  return Object.assign(context, {
    [Symbol.asyncDispose]: async () => {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  });
}
