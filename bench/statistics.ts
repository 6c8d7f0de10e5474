import { spawnSync } from 'node:child_process';
import { z } from 'zod';
import { contingencyTable } from '../core/stats/contingency.ts';
import { cohenKappa } from '../core/stats/kappa.ts';
import { kappaBootstrap } from '../core/stats/kappa-bootstrap.ts';
import { randomStream } from '../core/stats/random.ts';

/*
 * Kappa of a million pairs and BCa intervals of 10,000 replicates against numpy on the same labels in one run, medians
 * of processor time. numpy's side is its fastest form: whole arrays of integers, all replicates in one multinomial call.
 */
const ITEMS = 1_000_000;
const LEVELS = [0, 1, 2, 3, 4];
const REPLICATES = 10_000;
const ROUNDS = 9;
const Line = z.strictObject({ name: z.string(), ms: z.number() });

const random = randomStream(1);
const human = Array.from({ length: ITEMS }, () => random.index(LEVELS.length) | 0);
const judge = human.map((level) => (random.uniform() < 0.7 ? level : random.index(LEVELS.length) | 0));

const ours: Record<string, number> = {
  kappa: clock(() => cohenKappa(contingencyTable(human, judge, LEVELS).table)),
  ...Object.fromEntries([500, 10_000, ITEMS].map((n) => [`bca ${n}`, bca(n)])),
};
const theirs = numpy();
for (const [name, ms] of Object.entries(ours)) {
  const other = theirs.get(name);
  const beside =
    other === undefined
      ? ''
      : `, numpy ${other.toFixed(1)} ms, ratio ours / numpy: ${(ms / other).toFixed(2)} (bar: 1.00)`;
  console.log(`${name}: ${ms.toFixed(1)} ms${beside}`);
}
const sklearn = theirs.get('sklearn kappa');
if (sklearn !== undefined) console.log(`scikit-learn's kappa, without an interval: ${sklearn.toFixed(1)} ms`);
const growth = (ours[`bca ${ITEMS}`] ?? Number.NaN) / (ours['bca 10000'] ?? Number.NaN);
console.log(`ratio BCa of 1,000,000 items / 10,000 items: ${growth.toFixed(2)} (bar: 2.00)`);

function bca(n: number): number {
  const { table } = contingencyTable(human.slice(0, n), judge.slice(0, n), LEVELS);
  return clock(() => kappaBootstrap(table, { seed: 1, B: REPLICATES }));
}

/** Median processor time, milliseconds, after three rounds to warm up. */
function clock(run: () => unknown): number {
  const times = Array.from({ length: ROUNDS + 3 }, () => {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return times.slice(3).sort((one, other) => one - other)[Math.floor(ROUNDS / 2)] ?? Number.NaN;
}

function numpy(): Map<string, number> {
  const { status, stdout } = spawnSync('python3', ['bench/kappa_numpy.py'], {
    input: JSON.stringify([human, judge]),
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  if (status !== 0) {
    console.log('NO COMPARISON: python3 with numpy is not here; only our own times are printed');
    return new Map();
  }
  const lines = stdout.trim().split('\n');
  return new Map(
    lines.map((line) => Line.parse(JSON.parse(line))).map(({ name, ms }) => [name, ms] as const),
  );
}
