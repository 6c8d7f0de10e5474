import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { SuiteReport } from '../../../core/gate.ts';
import { cli } from '../../support/cli.ts';
import { exampleWorkspace } from '../../support/workspace.ts';

// Each run is a process of its own.
vi.setConfig({ testTimeout: 60_000 });

const suite = (args: string[], cwd: string) => cli(['suite', ...args], cwd);
const run = (id: string, args: string[], cwd: string) => suite(['run', id, '--trials', '1', ...args], cwd);

describe('touchstone suite run', () => {
  it('says by its exit code what the gate decided', async () => {
    await using workspace = exampleWorkspace({ suites: true });
    const code = async (id: string, ...args: string[]) => (await run(id, args, workspace.root)).code;
    expect(await code('scheduling', '--agent', 'skips-approval')).toBe(4);
    expect(await code('refunds')).toBe(0);
    expect(await code('refunds', '--agent', 'claims-done', '--exit-zero')).toBe(0);
  });

  it('leaves with 2 where it was called wrongly, with the way out', async () => {
    await using workspace = exampleWorkspace({ suites: true });
    const wrong = async (...args: string[]) => {
      const { code, stdout, stderr } = await suite(args, workspace.root);
      expect(stdout).toBe('');
      return [code, stderr.split('\n')[0]];
    };
    expect(await wrong('run', 'nope')).toEqual([2, 'error: there is no suite "nope"']);
    expect(await wrong('run', 'refunds', '--trials', '0')).toEqual([
      2,
      'error: "0" is no whole number from 1 to 999',
    ]);
    expect(await wrong('run')).toEqual([2, "error: missing required argument 'suite'"]);
  });

  it('prints the whole report as JSON, and nothing else, where asked', async () => {
    await using workspace = exampleWorkspace({ suites: true });
    const { code, stdout, stderr } = await run(
      'refunds',
      ['--json', '--tasks', 'refund-017'],
      workspace.root,
    );
    const report = SuiteReport.parse(JSON.parse(stdout));
    expect(report.outcomes.passed).toBe(1);
    expect(report.decision).toBe('inconclusive');
    expect(code).toBe(3);
    expect(report.left_out).toHaveLength(8);
    expect(stderr).toBe('');
  });

  it('writes JUnit and Markdown beside its table, which has no escape sequence in a pipe', async () => {
    await using workspace = exampleWorkspace({ suites: true });
    const files = ['--junit', 'out/junit.xml', '--markdown', 'out/summary.md'];
    const { code, stdout } = await run('scheduling', ['--agent', 'loops', ...files], workspace.root);
    expect(code).toBe(1);
    expect(stdout).toContain('gate: regression (exit 1)');
    expect(stdout).not.toContain('\u001b');
    expect(readFileSync(workspace.path('out/junit.xml'), 'utf8')).toContain('failures="8"');
    expect(readFileSync(workspace.path('out/summary.md'), 'utf8')).toContain('## scheduling v1: regression');
  });
});

describe('touchstone suite list and lint', () => {
  it('name the suites, and what is wrong with one', async () => {
    await using workspace = exampleWorkspace({ suites: true });
    expect((await suite(['list'], workspace.root)).stdout).toBe('refunds\nrefunds-judged\nscheduling\n');
    expect(await suite(['lint', 'refunds'], workspace.root)).toMatchObject({
      code: 0,
      stdout: 'refunds: 9 tasks, no error, 0 warnings\n',
    });
    workspace.write(
      'suites/refunds/tasks/broken.yaml',
      'id: broken\ninput: x\nseed_state: {}\nmust: [x.y]\n',
    );
    const { code, stderr } = await suite(['lint', 'refunds'], workspace.root);
    expect(code).toBe(2);
    expect(stderr).toContain('suites/refunds/tasks/broken.yaml:4:8 must.0.x.y: no tool can cause "x.y"');
  });
});
