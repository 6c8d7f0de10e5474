import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { z } from 'zod';
import { Problem } from '../../core/problem.ts';

/** Who holds the database, for the message that the next process shows. */
const Owner = z.object({
  pid: z.number(),
  command: z.string(),
  since: z.string(),
  url: z.string().nullable(),
});
export type Owner = z.infer<typeof Owner>;

export interface OwnerLock {
  release(): void;
}

/**
 * Takes the data folder for this process: one owner at a time.
 * The lock is the kernel's, held through an exclusive transaction on `owner.lock`: it dies with the process, so that
 * neither a kill nor a reused pid leaves a stale one. `owner.json` only says who holds it.
 * @throws Problem `owned` that names the owner's pid and what it runs.
 */
export function takeOwnership(folder: string, owner: Owner): OwnerLock {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const card = join(folder, 'owner.json');
  const lock = new Sqlite(join(folder, 'owner.lock'), { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY'))
      throw owned(readOwner(folder));
    throw error;
  }
  writeFileSync(card, JSON.stringify(owner), { mode: 0o600 });
  return {
    release: () => {
      rmSync(card, { force: true });
      lock.close();
    },
  };
}

/** Who last said that it holds the folder; null where nobody does or the card can't be read. */
export function readOwner(folder: string): Owner | null {
  try {
    return Owner.parse(JSON.parse(readFileSync(join(folder, 'owner.json'), 'utf8')));
  } catch {
    return null; // no card, or one cut short by a kill: only the message is poorer
  }
}

function owned(owner: Owner | null): Problem {
  const who =
    owner === null
      ? 'another process'
      : `process ${owner.pid} (touchstone ${owner.command}, since ${owner.since})`;
  return new Problem('owned', `the workspace's database is held by ${who}`, {
    remedy:
      owner?.url == null
        ? 'Wait for it to end, or stop it, and try again.'
        : `Do this in the workbench at ${owner.url}, or stop that process and try again.`,
    status: 409,
  });
}
