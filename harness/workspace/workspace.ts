import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { Problem } from '../../core/problem.ts';
import { WorkspaceConfig } from '../../core/workspace.ts';
import { readYaml } from './read-yaml.ts';

export const CONFIG_FILE = 'touchstone.yaml';

/** An opened workspace: its folder and its settings. */
export interface Workspace {
  root: string;
  config: WorkspaceConfig;
}

/**
 * Opens the nearest workspace at or above a folder.
 * @throws Problem `no_workspace` where none is found, `bad_file` where its touchstone.yaml is not valid.
 */
export function openWorkspace(from: string): Workspace {
  const root = findRoot(resolve(from));
  return { root, config: readYaml(join(root, CONFIG_FILE), WorkspaceConfig, CONFIG_FILE) };
}

function findRoot(from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, CONFIG_FILE))) return realpathSync(folder);
    if (dirname(folder) === folder) {
      throw new Problem('no_workspace', `no ${CONFIG_FILE} in ${from} or any folder above it`, {
        remedy: 'Run `touchstone init` to make a workspace here, or go to one.',
      });
    }
  }
}

/**
 * A path inside the workspace, links followed.
 * @throws Problem `outside` where the path leads out of the workspace.
 */
export function confined(workspace: Workspace, path: string): string {
  const wanted = resolve(workspace.root, path);
  const real = existsSync(wanted) ? realpathSync(wanted) : wanted;
  if (real !== workspace.root && !real.startsWith(workspace.root + sep)) {
    throw new Problem('outside', `${path} leads out of the workspace`, {
      remedy: `Name a file below ${workspace.root}.`,
    });
  }
  return real;
}

/** How messages name a file: its path from the workspace's root, with forward slashes. */
export function shownPath(workspace: Workspace, path: string): string {
  return relative(workspace.root, path).split(sep).join('/');
}

/** The folder of the database and all else that is not in git. */
export function dataFolder(workspace: Workspace): string {
  return join(workspace.root, '.touchstone');
}
