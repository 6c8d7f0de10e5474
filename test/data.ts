import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { packageRoot } from '../harness/asset.ts';

let told = false;

/** The folder of public data with human labels, or null, said loudly, where it is not on this machine. */
export function dataDir(): string | null {
  const folder = process.env.TOUCHSTONE_DATA ?? resolve(packageRoot(), '../shared/data');
  if (existsSync(folder)) return folder;
  if (!told) console.warn('SKIPPED: public data not found; set TOUCHSTONE_DATA to the folder that holds it');
  told = true;
  return null;
}
