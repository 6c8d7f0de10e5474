import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { Problem } from '../core/problem.ts';
import { packageRoot } from '../harness/asset.ts';

/** One file of the built UI, held in memory: no request reaches the file system. */
export interface Asset {
  bytes: Uint8Array<ArrayBuffer>;
  type: string;
  /** Its name holds a hash of its content. */
  immutable: boolean;
}

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/**
 * Reads the built UI into memory, by URL path.
 * @throws Problem `no_ui` where it has not been built.
 */
export function loadUi(folder = join(packageRoot(), 'dist/web')): Map<string, Asset> {
  if (!existsSync(join(folder, 'index.html'))) {
    throw new Problem('no_ui', 'the workbench’s pages are not built', { remedy: 'Run npm run build.' });
  }
  const assets = new Map<string, Asset>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const type = TYPES[extname(entry.name)];
    if (!entry.isFile() || type === undefined) continue;
    const path = join(entry.parentPath, entry.name);
    const url = `/${relative(folder, path).split(sep).join('/')}`;
    assets.set(url, {
      bytes: new Uint8Array(readFileSync(path)),
      type,
      immutable: url.startsWith('/assets/'),
    });
  }
  return assets;
}
