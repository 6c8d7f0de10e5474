import { spawnSync } from 'node:child_process';

/* Runs every measurement, each in a process of its own: `npm run bench`, or `npm run bench -- import` for one. */

const BENCHES = ['cli-start', 'import', 'judge-run', 'statistics'];

const wanted = process.argv.slice(2);
for (const bench of BENCHES.filter((name) => wanted.length === 0 || wanted.includes(name))) {
  console.log(`— ${bench}`);
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', `bench/${bench}.ts`], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exitCode = 1;
}
