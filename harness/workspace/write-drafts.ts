import { existsSync, linkSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import type { z } from 'zod';
import { Judge } from '../../core/judge.ts';
import { Problem } from '../../core/problem.ts';
import { Rubric } from '../../core/rubric.ts';
import { parseYaml } from './read-yaml.ts';
import type { Workspace } from './workspace.ts';

/** A rubric and a judge that shall stand in the workspace as first versions. */
export interface NewDraft {
  rubric: z.input<typeof Rubric>;
  judge: z.input<typeof Judge>;
  /** Lines of comment at the head of each file. */
  rubricNotes: readonly string[];
  judgeNotes: readonly string[];
}

/**
 * Writes `rubrics/<id>/v<N>.yaml` and `judges/<id>/v<N>.yaml` of each draft: all files or none, and never over one that is there.
 * @returns the paths of the files, from the workspace's root.
 * @throws Problem `version_exists`; `bad_file` where a draft is not valid.
 */
export function writeDrafts(workspace: Workspace, drafts: readonly NewDraft[]): string[] {
  const endpoints = Object.keys(workspace.config.endpoints);
  const files = drafts.flatMap(({ rubric, judge, rubricNotes, judgeNotes }) => {
    if (judge.endpoint != null && !endpoints.includes(judge.endpoint)) {
      throw new Problem('no_endpoint', `touchstone.yaml names no endpoint "${judge.endpoint}"`, {
        remedy: `It names: ${endpoints.join(', ') || 'none yet'}.`,
      });
    }
    const rubricPath = `rubrics/${rubric.rubric}/v${rubric.version}.yaml`;
    const judgePath = `judges/${judge.judge}/v${judge.version}.yaml`;
    return [
      { path: rubricPath, text: textOf('rubric', rubricNotes, rubric, Rubric, rubricPath) },
      { path: judgePath, text: textOf('judge', judgeNotes, judge, Judge, judgePath) },
    ];
  });
  for (const { path } of files) if (existsSync(join(workspace.root, path))) throw thereAlready(path);
  const written: string[] = [];
  try {
    for (const { path, text } of files) {
      writeNew(join(workspace.root, path), text, path);
      written.push(path);
    }
  } catch (error) {
    for (const path of written) rmSync(join(workspace.root, path), { force: true });
    throw error;
  }
  return written;
}

function textOf(
  schema: 'rubric' | 'judge',
  notes: readonly string[],
  value: unknown,
  check: z.ZodType,
  path: string,
): string {
  const comments = notes.map((note) => `# ${note.replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')}\n`).join('');
  const body = stringify(value, { compat: 'yaml-1.1', version: '1.2', schema: 'core' });
  const text = `# yaml-language-server: $schema=../../schemas/${schema}.schema.json\n${comments}${body}`;
  parseYaml(text, check, path);
  return text;
}

/** Linked into place whole: a file that somebody else made meanwhile stays theirs. */
function writeNew(path: string, text: string, shown: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.tmp-${process.pid}`;
  try {
    writeFileSync(temporary, text, { flush: true });
    linkSync(temporary, path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') throw thereAlready(shown);
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

function thereAlready(path: string): Problem {
  return new Problem('version_exists', `${path} is there already, and no version is ever overwritten`, {
    remedy: 'Take another id: --as <id>.',
    at: [{ file: path }],
    status: 409,
  });
}
