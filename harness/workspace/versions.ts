import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { Problem } from '../../core/problem.ts';
import { Slug, type VersionRef, versionRef } from '../../core/rubric.ts';
import type { Workspace } from './workspace.ts';

/** The folders whose files are versions: `<folder>/<id>/v<N>.<extension>`. */
export type VersionFolder = 'rubrics' | 'judges' | 'labels';

/** One version's file, by its path from the workspace's root. */
export interface VersionFile {
  id: string;
  version: number;
  ref: VersionRef;
  path: string;
}

/** Every version in a folder, by id, then version. */
export function listVersions(workspace: Workspace, folder: VersionFolder, extension = 'yaml'): VersionFile[] {
  const base = join(workspace.root, folder);
  if (!existsSync(base)) return [];
  const pattern = new RegExp(`^v([1-9]\\d{0,5})\\.${extension}$`);
  return readdirSync(base, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && Slug.safeParse(entry.name).success)
    .flatMap((entry) =>
      readdirSync(join(base, entry.name)).flatMap((name) => {
        const version = Number(pattern.exec(name)?.[1] ?? 0);
        if (version === 0) return [];
        const path = `${folder}/${entry.name}/${name}`;
        return [{ id: entry.name, version, ref: versionRef(entry.name, version), path }];
      }),
    )
    .sort((one, other) => (one.id === other.id ? one.version - other.version : one.id < other.id ? -1 : 1));
}

/**
 * The file of one version.
 * @throws Problem `no_version` that lists what there is.
 */
export function findVersion(
  workspace: Workspace,
  folder: VersionFolder,
  ref: VersionRef,
  extension = 'yaml',
): VersionFile {
  const all = listVersions(workspace, folder, extension);
  const found = all.find((file) => file.ref === ref);
  if (found !== undefined) return found;
  const there = all.map((file) => file.ref);
  throw new Problem('no_version', `there is no ${ref} in ${folder}/`, {
    remedy:
      there.length === 0
        ? `${folder}/ is empty: write ${folder}/<id>/v1.${extension}.`
        : `There are: ${there.join(', ')}.`,
    status: 404,
  });
}

/** A schema check: the file says the same id and version as its path. `key` names the id's key. */
export function sameName<Key extends string>(file: VersionFile, key: Key) {
  return (value: Record<Key, string> & { version: number }, ctx: z.core.$RefinementCtx): void => {
    const say = (path: string, said: string | number) =>
      ctx.addIssue({
        code: 'custom',
        path: [path],
        message: `the file stands at ${file.path} and says ${path}: ${said}; correct it, or move the file`,
      });
    if (value[key] !== file.id) say(key, value[key]);
    if (value.version !== file.version) say('version', value.version);
  };
}
