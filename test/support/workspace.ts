import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { packageRoot } from '../../harness/asset.ts';
import { openWorkspace, type Workspace } from '../../harness/workspace/workspace.ts';

/** A workspace in a temporary folder, gone when the test is over: `await using workspace = temporaryWorkspace({...})`. */
export interface TemporaryWorkspace extends Workspace {
  write: (path: string, text: string | Buffer) => void;
  path: (name: string) => string;
  [Symbol.asyncDispose]: () => Promise<void>;
}

/** @param files text by path; touchstone.yaml is added where it is not among them. */
export function temporaryWorkspace(files: Record<string, string> = {}): TemporaryWorkspace {
  const root = mkdtempSync(join(tmpdir(), 'touchstone-test-'));
  return open(root, { 'touchstone.yaml': 'name: test\n', ...files });
}

export interface ExampleOptions {
  suites?: boolean;
  /** Where the simulator that its simulated judges ask listens. */
  simulator?: string;
}

/** A copy of the example workspace: its rubrics, judges and samples, and its suites where asked for. */
export function exampleWorkspace({ suites = false, simulator }: ExampleOptions = {}): TemporaryWorkspace {
  const root = mkdtempSync(join(tmpdir(), 'touchstone-test-'));
  for (const name of ['touchstone.yaml', 'rubrics', 'judges', 'labels', ...(suites ? ['suites'] : [])]) {
    const filter = (path: string) => !/calibration\.yaml$|[\\/]v\d+\.jsonl$/.test(path);
    cpSync(join(packageRoot(), name), join(root, name), { recursive: true, filter });
  }
  const config = readFileSync(join(root, 'touchstone.yaml'), 'utf8');
  return open(root, {
    'touchstone.yaml': simulator === undefined ? config : config.replace(SIMULATOR, simulator),
  });
}

const SIMULATOR = 'http://127.0.0.1:4747';

function open(root: string, files: Record<string, string>): TemporaryWorkspace {
  const write = (path: string, text: string | Buffer) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  return {
    ...openWorkspace(root),
    write,
    path: (name) => join(root, name),
    [Symbol.asyncDispose]: async () => rmSync(root, { recursive: true, force: true }),
  };
}
