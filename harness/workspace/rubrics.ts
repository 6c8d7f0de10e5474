import { join } from 'node:path';
import { Rubric, rubricHash, type VersionRef } from '../../core/rubric.ts';
import { assertUnchanged, publish, readLock } from './lock.ts';
import { readYaml } from './read-yaml.ts';
import { findVersion, sameName, type VersionFile } from './versions.ts';
import type { Workspace } from './workspace.ts';

/** A rubric version as the workspace holds it. */
export interface LoadedRubric {
  ref: VersionRef;
  file: string;
  rubric: Rubric;
  hash: string;
  published: boolean;
}

/** Reads and checks one rubric version. @throws Problem where it is missing, malformed or changed after publishing. */
export function loadRubric(workspace: Workspace, ref: VersionRef): LoadedRubric {
  return loadFile(workspace, findVersion(workspace, 'rubrics', ref));
}

/** Makes a version immutable. */
export function publishRubric(workspace: Workspace, ref: VersionRef): LoadedRubric {
  const loaded = loadRubric(workspace, ref);
  publish(workspace, 'rubrics', ref, loaded.hash, loaded.file);
  return { ...loaded, published: true };
}

function loadFile(workspace: Workspace, file: VersionFile): LoadedRubric {
  const rubric = readYaml(
    join(workspace.root, file.path),
    Rubric.superRefine(sameName(file, 'rubric')),
    file.path,
  );
  const hash = rubricHash(rubric);
  const lock = readLock(workspace);
  assertUnchanged(lock, 'rubrics', file.ref, hash, file.path);
  return { ref: file.ref, file: file.path, rubric, hash, published: file.ref in lock.rubrics };
}
