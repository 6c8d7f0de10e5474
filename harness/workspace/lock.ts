import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { Problem } from '../../core/problem.ts';
import { VersionRef } from '../../core/rubric.ts';
import { readYaml } from './read-yaml.ts';
import type { Workspace } from './workspace.ts';
import { writeFileWhole } from './write-file.ts';

export const LOCK_FILE = 'touchstone.lock';

/** `touchstone.lock`: the hash of every published version. */
export const Lock = z.strictObject({
  lock: z.literal(1),
  rubrics: z.record(VersionRef, z.string()).default({}),
  judges: z.record(VersionRef, z.string()).default({}),
});
export type Lock = z.infer<typeof Lock>;
export type Lockable = 'rubrics' | 'judges';

export function readLock(workspace: Workspace): Lock {
  const path = join(workspace.root, LOCK_FILE);
  return existsSync(path) ? readYaml(path, Lock, LOCK_FILE) : { lock: 1, rubrics: {}, judges: {} };
}

/**
 * Refuses a published version whose content is no longer what was published.
 * @throws Problem `changed_after_publish` with both hashes and the way out.
 */
export function assertUnchanged(
  lock: Lock,
  kind: Lockable,
  ref: VersionRef,
  hash: string,
  file: string,
): void {
  const published = lock[kind][ref];
  if (published === undefined || published === hash) return;
  const { id, next } = nextVersion(ref);
  throw new Problem('changed_after_publish', `${file} was changed after ${ref} was published`, {
    remedy: `Put the published text back (git checkout ${file}), and make the change in ${kind}/${id}/v${next}.yaml.`,
    at: [{ file, line: 1, column: 1 }],
    details: [`published: ${published}`, `now:       ${hash}`],
    status: 409,
  });
}

/** Records a version's hash; publishing again what is published is no change. */
export function publish(
  workspace: Workspace,
  kind: Lockable,
  ref: VersionRef,
  hash: string,
  file: string,
): void {
  const lock = readLock(workspace);
  assertUnchanged(lock, kind, ref, hash, file);
  if (lock[kind][ref] === hash) return;
  const entries = { ...lock[kind], [ref]: hash };
  const sorted = Object.fromEntries(Object.entries(entries).sort(([one], [other]) => (one < other ? -1 : 1)));
  writeFileWhole(
    join(workspace.root, LOCK_FILE),
    `${JSON.stringify({ ...lock, [kind]: sorted }, null, 2)}\n`,
  );
}

function nextVersion(ref: VersionRef): { id: string; next: number } {
  const at = ref.lastIndexOf('@');
  return { id: ref.slice(0, at), next: Number(ref.slice(at + 1)) + 1 };
}
