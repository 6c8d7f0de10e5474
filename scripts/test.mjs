// All tests: build, checks, every test with real SQLite, real HTTP and real Chromium.
// Usage: npm test. Ends with the line "N passed, N failed", from the test runner's own report.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const run = (command, ...args) => spawnSync(command, args, { stdio: 'inherit' }).status === 0;

if (!run('npm', 'run', '--silent', 'build')) process.exit(1);
const checked = run('node', 'scripts/check.mjs');
const folder = mkdtempSync(join(tmpdir(), 'touchstone-report-'));
const report = join(folder, 'report.json');
const tested = run(
  'npx',
  'vitest',
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${report}`,
);
const {
  numPassedTests: passed,
  numFailedTests: failed,
  numPendingTests: skipped,
  numFailedTestSuites: suites,
} = JSON.parse(readFileSync(report, 'utf8'));
rmSync(folder, { recursive: true });
if (!checked) console.log('the checks failed: npm run check');
if (suites > 0 && failed === 0) console.log(`${suites} test files could not be run`);
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = checked && tested && failed === 0 && passed > 0 ? 0 : 1;
