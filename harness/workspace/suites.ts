import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, extname, join, resolve, sep } from 'node:path';
import type { z } from 'zod';
import { JsonObject } from '../../core/json.ts';
import { type Place, Problem, placeText } from '../../core/problem.ts';
import { Slug } from '../../core/rubric.ts';
import type { Suite } from '../../core/suite.ts';
import type { Task } from '../../core/task.ts';
import { readYaml } from './read-yaml.ts';
import { shownPath, type Workspace } from './workspace.ts';

const SUITES = 'suites';
const SUITE_FILE = 'suite.yaml';

/** A task with the file that it stands in, by its path from the workspace's root. */
export interface TaskFile {
  task: Task;
  file: string;
}

/** Ids of all suites: the folders of suites/ that hold a suite.yaml. */
export function listSuites(workspace: Workspace): string[] {
  const base = join(workspace.root, SUITES);
  if (!existsSync(base)) return [];
  return readdirSync(base, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && Slug.safeParse(entry.name).success)
    .map((entry) => entry.name)
    .filter((name) => existsSync(join(base, name, SUITE_FILE)))
    .sort();
}

/**
 * Reads a suite's settings. @param schema Suite, or Suite with more checks.
 * @throws Problem `no_suite` that lists what there is, `bad_file`, `misnamed`.
 */
export function readSuite(workspace: Workspace, id: string, schema: z.ZodType<Suite>): Suite {
  const all = listSuites(workspace);
  if (!all.includes(id)) {
    throw new Problem('no_suite', `there is no suite "${id}"`, {
      remedy: all.length === 0 ? 'Write suites/<id>/suite.yaml.' : `There are: ${all.join(', ')}.`,
      status: 404,
    });
  }
  const shown = `${SUITES}/${id}/${SUITE_FILE}`;
  const suite = readYaml(join(workspace.root, shown), schema, shown);
  if (suite.suite === id) return suite;
  throw new Problem('misnamed', `${shown} says that it is suite "${suite.suite}"`, {
    remedy: 'Correct the id in the file, or rename the folder.',
    at: [{ file: shown, line: 1, column: 1, path: 'suite' }],
  });
}

/**
 * Reads every task of a suite, by id.
 * @param schema Task, or Task with more checks.
 * @throws Problem `bad_tasks` that lists the faults of all files; `no_tasks`; `duplicate_task`.
 */
export function readTasks(workspace: Workspace, id: string, schema: z.ZodType<Task>): TaskFile[] {
  const folder = `${SUITES}/${id}/tasks`;
  const base = join(workspace.root, folder);
  const names = existsSync(base) ? readdirSync(base).filter((name) => /\.(yaml|json)$/.test(name)) : [];
  if (names.length === 0) {
    throw new Problem('no_tasks', `${folder}/ holds no task`, {
      remedy: 'Write one task a file: tasks/<id>.yaml or tasks/<id>.json.',
    });
  }
  const faults: Problem[] = [];
  const files = names.sort().flatMap((name) => {
    const shown = `${folder}/${name}`;
    try {
      return [{ task: readYaml(join(base, name), schema, shown), file: shown }];
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      faults.push(error);
      return [];
    }
  });
  if (faults.length > 0) throw badTasks(faults);
  for (const { task, file } of files) {
    const first = files.find((other) => other.task.id === task.id);
    if (first === undefined || first.file === file) continue;
    throw new Problem('duplicate_task', `${file} has the id "${task.id}" of ${first.file}`, {
      remedy: 'Give each task its own id.',
      at: [{ file, line: 1, column: 1, path: 'id' }],
    });
  }
  return files;
}

function badTasks(faults: readonly Problem[]): Problem {
  const at: Place[] = faults.flatMap((fault) => fault.at);
  const [first, ...rest] = faults.flatMap((fault) => [fault.message, ...fault.details]);
  return new Problem('bad_tasks', first ?? 'the tasks are not valid', {
    remedy: 'Mend the lines named here; docs/suites.md describes every key.',
    at,
    details: rest,
  });
}

/**
 * The file that a suite's text names, from the suite's folder; suites may share files, so anything below suites/ will do.
 * @throws Problem `outside` where it leads out of suites/ (links followed), `no_file` where it is not there.
 */
export function suiteFile(workspace: Workspace, id: string, path: string, at: Place): string {
  const base = realpathSync(join(workspace.root, SUITES));
  const wanted = resolve(base, id, path);
  const real = existsSync(wanted) ? realpathSync(wanted) : wanted;
  if (!real.startsWith(base + sep)) {
    throw new Problem('outside', `${placeText(at)}: ${path} leads out of ${SUITES}/`, {
      remedy: `Name a file below ${SUITES}/.`,
      at: [at],
    });
  }
  if (existsSync(real)) return real;
  throw new Problem('no_file', `${placeText(at)}: there is no ${path}`, {
    remedy: `Create ${shownPath(workspace, real)}, or correct the name.`,
    at: [at],
  });
}

/** Reads a seed state: JSON or YAML. @throws Problem `bad_file`. */
export function readSeed(workspace: Workspace, path: string): JsonObject {
  return readYaml(path, JsonObject, shownPath(workspace, path));
}

/**
 * The text of a module and of every module below suites/ that it imports by path, by path from the workspace's root:
 * what a change of the tools would change.
 */
export function moduleSources(workspace: Workspace, path: string): Record<string, string> {
  const base = realpathSync(join(workspace.root, SUITES));
  const sources: Record<string, string> = {};
  const visit = (file: string) => {
    const shown = shownPath(workspace, file);
    if (shown in sources) return;
    const text = readFileSync(file, 'utf8');
    sources[shown] = text;
    for (const specifier of relativeImports(text)) {
      const target = moduleFile(resolve(dirname(file), specifier));
      if (target?.startsWith(base + sep)) visit(target);
    }
  };
  visit(path);
  return sources;
}

/** Specifiers that begin with a dot, of imports, re-exports and dynamic imports. */
function relativeImports(text: string): string[] {
  return [...text.matchAll(/(?:from|import)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g)].flatMap(
    (match) => match[1] ?? [],
  );
}

function moduleFile(path: string): string | null {
  const candidates = extname(path) === '' ? ['.ts', '.js', '.mjs'].map((end) => path + end) : [path];
  const found = candidates.find((candidate) => existsSync(candidate));
  return found === undefined ? null : realpathSync(found);
}
