import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { Calibration } from '../../core/calibration.ts';
import { parseVersionRef, type VersionRef } from '../../core/rubric.ts';
import { readYaml } from './read-yaml.ts';
import { listVersions } from './versions.ts';
import type { Workspace } from './workspace.ts';
import { writeFileWhole } from './write-file.ts';

/** Where a judge version's accepted calibration stands, from the workspace's root. */
export function calibrationPath(judge: VersionRef): string {
  const { id, version } = parseVersionRef(judge);
  return `judges/${id}/v${version}.calibration.yaml`;
}

/** A judge version's accepted calibration, or null where it has none. @throws Problem where the file is malformed. */
export function loadCalibration(workspace: Workspace, judge: VersionRef): Calibration | null {
  const shown = calibrationPath(judge);
  const path = join(workspace.root, shown);
  return existsSync(path) ? readYaml(path, Calibration, shown) : null;
}

/** Every accepted calibration. */
export function loadCalibrations(workspace: Workspace): Calibration[] {
  return listVersions(workspace, 'judges', 'calibration\\.yaml').flatMap(
    (file) => loadCalibration(workspace, file.ref) ?? [],
  );
}

/** Writes an accepted calibration whole. @returns its path from the workspace's root. */
export function saveCalibration(workspace: Workspace, calibration: Calibration): string {
  const shown = calibrationPath(calibration.calibration);
  const head =
    '# yaml-language-server: $schema=../../schemas/calibration.schema.json\n# Written by touchstone calibrate; sealed by its hash. Do not edit: a suite refuses an edited file.\n';
  writeFileWhole(join(workspace.root, shown), head + stringify(calibration, { lineWidth: 0 }));
  return shown;
}
