import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline/promises';
import { z } from 'zod';
import { contingencyTable } from '../core/stats/contingency.ts';
import { cohenKappa } from '../core/stats/kappa.ts';
import { kappaBootstrap } from '../core/stats/kappa-bootstrap.ts';
import { randomStream } from '../core/stats/random.ts';

/*
 * Kappa of a million pairs and BCa intervals of 10,000 replicates against numpy on the same labels in one run, in turns,
 * medians of processor time. numpy's side is its fastest form: whole arrays of integers, all replicates in one
 * multinomial call.
 */
const ITEMS = 1_000_000;
const LEVELS = [0, 1, 2, 3, 4];
const REPLICATES = 10_000;
const ROUNDS = 25;
/** Rounds before the ones that count: both sides have then compiled and cached what they will. */
const WARM_UP = 4;
const Milliseconds = z.number().nullable();

const random = randomStream(1);
const human = Int32Array.from({ length: ITEMS }, () => random.index(LEVELS.length));
const judge = human.map((level) => (random.uniform() < 0.7 ? level : random.index(LEVELS.length)));
const runs: Record<string, () => unknown> = {
  ...Object.fromEntries([500, 10_000, ITEMS].map((n) => [`bca ${n}`, bcaOf(n)])),
  kappa: () => cohenKappa(contingencyTable(human, judge, LEVELS).table),
};

const numpy = startNumpy();
const medians: Record<string, number> = {};
for (const [name, run] of Object.entries(runs)) {
  const [ours, theirs]: number[][] = [[], []];
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    const other = await numpy.time(name);
    const own = processorTime(run);
    if (round < WARM_UP) continue;
    ours?.push(own);
    if (other !== null) theirs?.push(other);
  }
  const own = median(ours ?? []);
  medians[name] = own;
  const other = theirs?.length ? median(theirs) : null;
  const beside =
    other === null
      ? ''
      : `, numpy ${other.toFixed(1)} ms, ratio ours / numpy: ${(own / other).toFixed(2)} (bar: 1.00)`;
  console.log(`${name}: ${own.toFixed(1)} ms${beside}`);
}
const sklearn = await numpy.time('sklearn kappa');
if (sklearn !== null)
  console.log(`scikit-learn's kappa, without an interval, once: ${sklearn.toFixed(1)} ms`);
const growth = (medians[`bca ${ITEMS}`] ?? Number.NaN) / (medians['bca 10000'] ?? Number.NaN);
console.log(`ratio BCa of 1,000,000 items / 10,000 items: ${growth.toFixed(2)} (bar: 2.00)`);
numpy.end();

function bcaOf(n: number): () => unknown {
  const { table } = contingencyTable(human.slice(0, n), judge.slice(0, n), LEVELS);
  return () => kappaBootstrap(table, { seed: 1, B: REPLICATES });
}

/** Milliseconds of processor. */
function processorTime(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** A python that has the labels and times what it is asked for; it answers null where it can't. */
function startNumpy() {
  const python = spawn('python3', ['bench/kappa_numpy.py'], { stdio: ['pipe', 'pipe', 'inherit'] });
  let here = true;
  const gone = () => {
    if (here) console.log('NO COMPARISON: python3 with numpy is not here; only our own times are printed');
    here = false;
  };
  python.on('error', gone);
  python.stdin.on('error', gone);
  const lines = createInterface({ input: python.stdout })[Symbol.asyncIterator]();
  python.stdin.write(`${JSON.stringify([[...human], [...judge]])}\n`);
  return {
    time: async (name: string): Promise<number | null> => {
      if (!here) return null;
      python.stdin.write(`${name}\n`);
      const line = await lines.next();
      if (line.done === true) gone();
      return line.done === true ? null : Milliseconds.parse(JSON.parse(line.value));
    },
    end: () => python.stdin.end(),
  };
}
