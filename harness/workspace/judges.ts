import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Judge, judgeHash, type ResolvedJudge } from '../../core/judge.ts';
import { Problem } from '../../core/problem.ts';
import type { VersionRef } from '../../core/rubric.ts';
import { readAsset } from '../asset.ts';
import { assertUnchanged, publish, readLock } from './lock.ts';
import { readYaml } from './read-yaml.ts';
import { loadRubric } from './rubrics.ts';
import { assertNamed, findVersion, listVersions, type VersionFile } from './versions.ts';
import { confined, type Workspace } from './workspace.ts';

/** A judge version with all that its scores depend on. */
export interface LoadedJudge extends ResolvedJudge {
  ref: VersionRef;
  file: string;
  published: boolean;
  /** Its answers come from the provider simulator. */
  simulated: boolean;
}

/** The content hash of a sample that the workspace knows by id, or null. */
export type ExampleHash = (sample: string) => string | null;

/** Reads one judge version with its rubric and prompt. @throws Problem where any of them is missing or malformed. */
export function loadJudge(
  workspace: Workspace,
  ref: VersionRef,
  exampleHash: ExampleHash = () => null,
): LoadedJudge {
  return loadFile(workspace, findVersion(workspace, 'judges', ref), exampleHash);
}

/** Every judge version. @throws the first one's Problem. */
export function loadJudges(workspace: Workspace, exampleHash: ExampleHash = () => null): LoadedJudge[] {
  return listVersions(workspace, 'judges').map((file) => loadFile(workspace, file, exampleHash));
}

/** Makes a version immutable, and its rubric with it. */
export function publishJudge(workspace: Workspace, ref: VersionRef): LoadedJudge {
  const loaded = loadJudge(workspace, ref);
  publish(workspace, 'judges', ref, loaded.hash, loaded.file);
  return { ...loaded, published: true };
}

function loadFile(workspace: Workspace, file: VersionFile, exampleHash: ExampleHash): LoadedJudge {
  const judge = readYaml(join(workspace.root, file.path), Judge, file.path);
  assertNamed(file, judge.judge, judge.version);
  const { rubric } = loadRubric(workspace, judge.rubric);
  const asked = judge.criteria.map((id) => {
    const criterion = rubric.criteria.find((one) => one.id === id);
    if (criterion !== undefined) return criterion;
    throw new Problem('unknown_criterion', `${file.path}: rubric ${judge.rubric} has no criterion "${id}"`, {
      remedy: `Its criteria are ${rubric.criteria.map((one) => one.id).join(', ')}.`,
      at: [{ file: file.path, line: 1, column: 1, path: 'criteria' }],
    });
  });
  const ids = asked.flatMap((criterion) => criterion.examples);
  const examples = Object.fromEntries(ids.map((id) => [id, exampleHash(id) ?? id]));
  const parts = { judge, rubric, promptText: promptText(workspace, judge, file), examples };
  const hash = judgeHash(parts);
  const lock = readLock(workspace);
  assertUnchanged(lock, 'judges', file.ref, hash, file.path);
  const simulated =
    judge.endpoint !== null && (endpoint(workspace, judge.endpoint, file)?.simulated ?? false);
  return { ...parts, hash, ref: file.ref, file: file.path, published: file.ref in lock.judges, simulated };
}

function endpoint(workspace: Workspace, name: string, file: VersionFile) {
  const found = workspace.config.endpoints[name];
  if (found !== undefined) return found;
  throw new Problem('unknown_endpoint', `${file.path}: touchstone.yaml names no endpoint "${name}"`, {
    remedy: `Add it under endpoints: in touchstone.yaml, or name one of: ${Object.keys(workspace.config.endpoints).join(', ') || '(none yet)'}.`,
    at: [{ file: file.path, line: 1, column: 1, path: 'endpoint' }],
  });
}

const BUILT_IN = /^([a-z-]+)@(\d+)$/;

/** A built-in template by name, or a file beside the judge. */
function promptText(workspace: Workspace, judge: Judge, file: VersionFile): string {
  const builtIn = BUILT_IN.exec(judge.prompt);
  try {
    if (builtIn !== null) return readAsset(`harness/judge/prompts/${builtIn[1]}.v${builtIn[2]}.md`);
    return readFileSync(confined(workspace, join(dirname(file.path), judge.prompt)), 'utf8');
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw new Problem('no_prompt', `${file.path}: there is no prompt "${judge.prompt}"`, {
      remedy: 'Say default@1 for the built-in one, or the path of a text file beside the judge.',
      at: [{ file: file.path, line: 1, column: 1, path: 'prompt' }],
    });
  }
}
