import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../../../harness/asset.ts';

/** Builds the pages once, as they are shipped, before the first test that drives them. */
export default function buildPages(): void {
  const root = packageRoot();
  const env = { ...process.env, NODE_ENV: 'production' };
  execFileSync(
    process.execPath,
    [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'error'],
    { cwd: root, env },
  );
}
