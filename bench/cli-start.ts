import { spawnSync } from 'node:child_process';

/* `touchstone --version` against `node -e 0`, taken in turns; the medians' ratio is what is promised. */

const ROUNDS = 31;

function milliseconds(...args: string[]): number {
  const started = performance.now();
  spawnSync(process.execPath, args);
  return performance.now() - started;
}

const times = Array.from({ length: ROUNDS }, () => ({
  node: milliseconds('-e', '0'),
  ours: milliseconds('dist/cli/main.js', '--version'),
  help: milliseconds('dist/cli/main.js', '--help'),
}));
const median = (pick: (one: (typeof times)[number]) => number) =>
  times.map(pick).sort((one, other) => one - other)[Math.floor(ROUNDS / 2)] ?? 0;
const [node, ours, help] = [median((one) => one.node), median((one) => one.ours), median((one) => one.help)];
console.log(
  `node -e 0: ${node.toFixed(0)} ms, --version: ${ours.toFixed(0)} ms, --help: ${help.toFixed(0)} ms`,
);
console.log(`ratio --version / node: ${(ours / node).toFixed(2)} (bar: 2.00)`);
