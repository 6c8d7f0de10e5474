import { randomBytes } from 'node:crypto';
import { secureRandom } from '../harness/judge/nonce.ts';
import { openWorkspace } from '../harness/workspace/workspace.ts';
import { openStore } from '../server/db/store.ts';
import { RunDesk } from '../server/run-desk.ts';
import type { Services } from '../server/services.ts';

/**
 * Opens the workspace and its database for one command, and closes it whatever happens.
 * @param readonly reads beside a running server; writing needs the database to oneself.
 */
export async function withServices<T>(
  { workspace: from, command, readonly = false }: { workspace: string; command: string; readonly?: boolean },
  work: (services: Services) => Promise<T> | T,
): Promise<T> {
  const workspace = openWorkspace(from);
  const now = () => new Date();
  const store = openStore(workspace, { now: () => now().toISOString(), command, readonly });
  const newToken = () => randomBytes(32).toString('base64url');
  const newId = () => `run_${randomBytes(9).toString('base64url')}`;
  const runs = new RunDesk({ workspace, store, env: process.env, now, newId, random: secureRandom });
  try {
    return await work({ workspace, store, runs, now, newToken });
  } finally {
    store.close();
  }
}
