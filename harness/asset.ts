import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of this package: the nearest one above this module that holds a package.json. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}

/** A text file that ships with the package, by its path from the package's root: prompts, price tables, templates. */
export function readAsset(path: string): string {
  return readFileSync(join(packageRoot(), path), 'utf8');
}
