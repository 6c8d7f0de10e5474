import { z } from 'zod';
import { type Place, Problem } from '../../../../core/problem.ts';
import { locate, parseYaml } from '../../../workspace/read-yaml.ts';
import type { KeyPath } from '../../foreign-judge.ts';
import { type PythonFile, readPython } from './python-file.ts';

/** A foreign file that has been read and not yet understood. */
export type JudgeSource = DocumentSource | PythonSource;

/** YAML or JSON. */
export interface DocumentSource {
  kind: 'document';
  file: string;
  /** Unchecked. */
  value: unknown;
  /** Checks the file, or says line, column and key path of each fault. @throws Problem `bad_file`. */
  as: <Schema extends z.ZodType>(schema: Schema) => z.output<Schema>;
  place: (path: KeyPath) => Place;
}

/** Python, read as text and never run. */
export interface PythonSource {
  kind: 'python';
  file: string;
  python: PythonFile;
  place: (path: KeyPath) => Place;
}

/**
 * Reads a file's text as what it looks like.
 * @param file how messages name it.
 * @throws Problem where it is neither YAML, JSON nor Python that can be read.
 */
export function openSource(text: string, file: string): JudgeSource {
  if (text.trim() === '') {
    throw new Problem('bad_file', `${file}: the file is empty`, {
      remedy: 'Name a file that defines a judge.',
      at: [{ file, line: 1, column: 1 }],
    });
  }
  if (looksLikePython(text, file)) {
    const python = readPython(text, file);
    return { kind: 'python', file, python, place: (path) => python.place(path) };
  }
  return {
    kind: 'document',
    file,
    value: parseYaml(text, z.unknown(), file),
    as: (schema) => parseYaml(text, schema, file),
    place: (path) => locate(text, path, file),
  };
}

function looksLikePython(text: string, file: string): boolean {
  if (/\.pyi?$/i.test(file)) return true;
  if (/\.(ya?ml|json)$/i.test(file)) return false;
  return /^\s*(from [\w.]+ import|import \w|@\w|[\w. =]*\b(model_graded_(qa|fact)|make_judge|GEval)\s*\()/m.test(
    text,
  );
}
