import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LabelSet, LabelSetHeader, LabelSetItem, labelSetHash } from '../../core/label-set.ts';
import { Problem } from '../../core/problem.ts';
import { parseVersionRef, type VersionRef, versionRef } from '../../core/rubric.ts';
import { readJsonLine } from './read-jsonl.ts';
import { findVersion, listVersions, type VersionFile } from './versions.ts';
import type { Workspace } from './workspace.ts';
import { writeFileWhole } from './write-file.ts';

/** Every frozen label set's file. */
export function listLabelSets(workspace: Workspace): VersionFile[] {
  return listVersions(workspace, 'labels', 'jsonl');
}

/** The version number that the next freeze of a set gets. */
export function nextLabelSetVersion(workspace: Workspace, id: string): number {
  return (
    Math.max(
      0,
      ...listLabelSets(workspace)
        .filter((file) => file.id === id)
        .map((file) => file.version),
    ) + 1
  );
}

/** Reads a frozen label set and checks its hash. @throws Problem with file and line where a line is malformed. */
export function loadLabelSet(workspace: Workspace, ref: VersionRef): LabelSet {
  const file = findVersion(workspace, 'labels', ref, 'jsonl');
  const lines = readFileSync(join(workspace.root, file.path), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const [head, ...rest] = lines;
  const header = readJsonLine(head ?? '', LabelSetHeader, place(file.path, 1));
  const items = rest.map((line, index) => readJsonLine(line, LabelSetItem, place(file.path, index + 2)));
  const hash = labelSetHash(header, items);
  if (hash !== header.hash) {
    throw new Problem('label_set_changed', `${file.path} was changed after it was frozen`, {
      remedy: `Put the frozen text back (git checkout ${file.path}), or freeze the next version.`,
      at: [{ file: file.path, line: 1, column: 1 }],
      details: [`frozen: ${header.hash}`, `now:    ${hash}`],
    });
  }
  return { header, items };
}

/** A frozen label set with the name it goes by. */
export interface NamedLabelSet extends LabelSet {
  ref: VersionRef;
}

/** The latest frozen label set of a dataset under a rubric version, or null. */
export function latestLabelSet(
  workspace: Workspace,
  dataset: string,
  rubric: VersionRef,
): NamedLabelSet | null {
  const sets = listLabelSets(workspace)
    .map((file) => ({ ...loadLabelSet(workspace, file.ref), ref: file.ref }))
    .filter(({ header }) => header.dataset === dataset && header.rubric === rubric)
    .sort((one, other) => (one.header.created < other.header.created ? 1 : -1));
  return sets[0] ?? null;
}

/** Writes a frozen label set. A version that exists is never written over. @returns its path. */
export function saveLabelSet(workspace: Workspace, set: LabelSet): string {
  const ref = versionRef(set.header.label_set, set.header.version);
  const { id, version } = parseVersionRef(ref);
  const shown = `labels/${id}/v${version}.jsonl`;
  const path = join(workspace.root, shown);
  if (existsSync(path)) {
    throw new Problem('label_set_exists', `${shown} exists`, {
      remedy: 'Freeze the next version.',
      status: 409,
    });
  }
  writeFileWhole(path, `${[set.header, ...set.items].map((line) => JSON.stringify(line)).join('\n')}\n`);
  return shown;
}

function place(file: string, line: number) {
  return { file, line, code: 'bad_label_set', remedy: 'Put the frozen text back from git.' };
}
