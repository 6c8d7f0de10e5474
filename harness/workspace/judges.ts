import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { z } from 'zod';
import { Judge, judgeHash, type ResolvedJudge } from '../../core/judge.ts';
import { Problem } from '../../core/problem.ts';
import type { VersionRef } from '../../core/rubric.ts';
import { readAsset } from '../asset.ts';
import { assertUnchanged, publish, readLock } from './lock.ts';
import { readYaml } from './read-yaml.ts';
import { listRecordings, loadRecordingHeader } from './recordings.ts';
import { loadRubric } from './rubrics.ts';
import { findVersion, listVersions, sameName, type VersionFile } from './versions.ts';
import { confined, type Workspace } from './workspace.ts';

/** A judge version with all that its scores depend on. */
export interface LoadedJudge extends ResolvedJudge {
  ref: VersionRef;
  file: string;
  published: boolean;
  /** Its answers come from the provider simulator; a panel's: one of its members' do. */
  simulated: boolean;
  /** A panel's members in its own order; none of any other judge. */
  members: readonly LoadedJudge[];
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
  const schema = Judge.superRefine(sameName(file, 'judge'))
    .superRefine(namesWhatIs(workspace))
    .superRefine(sitTogether(workspace));
  const judge = readYaml(join(workspace.root, file.path), schema, file.path);
  const { rubric } = loadRubric(workspace, judge.rubric);
  const asked = rubric.criteria.filter((criterion) => judge.criteria.includes(criterion.id));
  const members = (judge.panel ?? []).map((ref) => loadJudge(workspace, ref, exampleHash));
  const ids = judge.panel === undefined ? asked.flatMap((criterion) => criterion.examples) : [];
  const examples = Object.fromEntries(ids.map((id) => [id, exampleHash(id) ?? id]));
  const parts = { judge, rubric, promptText: promptText(workspace, judge, file), examples };
  const hash = judgeHash(
    parts,
    members.map((member) => member.hash),
  );
  const lock = readLock(workspace);
  assertUnchanged(lock, 'judges', file.ref, hash, file.path);
  return {
    ...parts,
    hash,
    ref: file.ref,
    file: file.path,
    published: file.ref in lock.judges,
    simulated: isSimulated(workspace, judge) || members.some((member) => member.simulated),
    members,
  };
}

/** Do a judge's answers come from the simulator, now or when they were recorded? */
function isSimulated({ root, config }: Workspace, { provider, endpoint }: Judge): boolean {
  if (endpoint === null) return false;
  if (provider === 'recorded') return loadRecordingHeader(root, endpoint).simulated;
  return config.endpoints[endpoint]?.simulated ?? false;
}

/** A schema check: the rubric, its criteria and the endpoint that a judge names are there. */
function namesWhatIs(workspace: Workspace) {
  return (judge: Judge, ctx: z.core.$RefinementCtx): void => {
    const say = (path: (string | number)[], message: string) =>
      ctx.addIssue({ code: 'custom', path, message });
    const rubrics = listVersions(workspace, 'rubrics').map((file) => file.ref);
    if (!rubrics.includes(judge.rubric)) {
      say(['rubric'], `there is no rubric ${judge.rubric}; there are: ${rubrics.join(', ') || 'none yet'}`);
      return;
    }
    const { criteria } = loadRubric(workspace, judge.rubric).rubric;
    judge.criteria.forEach((id, index) => {
      if (!criteria.some((criterion) => criterion.id === id)) {
        say(
          ['criteria', index],
          `rubric ${judge.rubric} has no criterion "${id}"; it has: ${criteria.map((one) => one.id).join(', ')}`,
        );
      }
    });
    if (judge.vote === 'median') {
      const unordered = criteria.filter(
        ({ id, scale }) => judge.criteria.includes(id) && scale !== 'ordinal',
      );
      if (unordered.length > 0)
        say(
          ['vote'],
          `a median needs an ordinal scale, which ${unordered.map(({ id }) => id).join(', ')} has not; vote majority`,
        );
    }
    const recorded = judge.provider === 'recorded';
    const endpoints = recorded ? listRecordings(workspace.root) : Object.keys(workspace.config.endpoints);
    if (judge.endpoint !== null && !endpoints.includes(judge.endpoint)) {
      say(
        ['endpoint'],
        recorded
          ? `there is no recordings/${judge.endpoint}.jsonl; recordings: ${endpoints.join(', ') || 'none yet'}`
          : `touchstone.yaml names no endpoint "${judge.endpoint}"; it names: ${endpoints.join(', ') || 'none yet'}`,
      );
    }
  };
}

/** A schema check: a panel's members are there, are no panels, and judge its criteria by its rubric version. */
function sitTogether(workspace: Workspace) {
  return ({ panel = [], rubric, criteria }: Judge, ctx: z.core.$RefinementCtx): void => {
    const files = listVersions(workspace, 'judges');
    panel.forEach((ref, index) => {
      const say = (message: string) => ctx.addIssue({ code: 'custom', path: ['panel', index], message });
      const file = files.find((one) => one.ref === ref);
      if (file === undefined) {
        say(`there is no judge ${ref}; there are: ${files.map((one) => one.ref).join(', ')}`);
        return;
      }
      const member = readYaml(join(workspace.root, file.path), Judge, file.path);
      if (member.provider === 'panel') say(`${ref} is a panel itself; name its members`);
      if (member.rubric !== rubric)
        say(`${ref} judges by ${member.rubric}, the panel by ${rubric}; all judge by one rubric version`);
      const lacks = criteria.filter((id) => !member.criteria.includes(id));
      if (lacks.length > 0) say(`${ref} does not judge ${lacks.join(', ')}, which the panel does`);
    });
  };
}

const BUILT_IN = /^([a-z-]+)@(\d+)$/;

/** A built-in template by name, or a file beside the judge; nothing for a panel, which asks nobody. */
function promptText(workspace: Workspace, judge: Judge, file: VersionFile): string {
  if (judge.provider === 'panel') return '';
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
