import { join } from 'node:path';
import { build } from 'vite';
import { packageRoot } from '../../../harness/asset.ts';

/** Builds the pages once, before the first test that drives them. */
export default async function buildPages(): Promise<void> {
  await build({ configFile: join(packageRoot(), 'vite.config.ts'), logLevel: 'error' });
}
