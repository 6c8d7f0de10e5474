// Everything that is checked without running the product: format, lint, types, directions, dead code, generated files.
// Usage: npm run check
import { spawnSync } from 'node:child_process';

const CHECKS = ['lint', 'types', 'pages', 'directions', 'dead', 'schemas', 'docs'];

const failed = [];
for (const name of CHECKS) {
  console.log(`— ${name}`);
  const { status } = spawnSync('npm', ['run', '--silent', `check:${name}`], { stdio: 'inherit' });
  if (status !== 0) failed.push(name);
}
console.log(failed.length === 0 ? `${CHECKS.length} checks in order` : `failed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
