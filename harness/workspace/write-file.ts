import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Writes a file whole or not at all: to a temporary name beside it, synced, then renamed into place.
 * @throws the file system's error; the old file, if any, is then untouched and the temporary one is gone.
 */
export function writeFileWhole(path: string, text: string): void {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true });
  const temporary = `${path}.tmp-${process.pid}`;
  const file = openSync(temporary, 'w', 0o644);
  try {
    writeSync(file, text);
    fsyncSync(file);
    closeSync(file);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  syncFolder(folder);
}

/** A rename is durable only when the folder is. */
function syncFolder(folder: string): void {
  const handle = openSync(join(folder), 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
