import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../harness/asset.ts';

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** Starts the compiled command line. */
export function startCli(args: readonly string[], cwd: string, env: Record<string, string> = {}) {
  const main = join(packageRoot(), 'dist/cli/main.js');
  if (!existsSync(main)) throw new Error('the command line is not built: npm run build');
  const child = spawn(process.execPath, [main, ...args], {
    cwd,
    env: { ...process.env, NO_COLOR: '1', ...env },
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return { child, ended };
}

/** Runs the compiled command line to its end. */
export function cli(args: readonly string[], cwd: string, env: Record<string, string> = {}): Promise<Ended> {
  return startCli(args, cwd, env).ended;
}
