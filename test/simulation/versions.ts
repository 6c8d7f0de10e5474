import type { RandomStream } from '../../core/stats/random.ts';
import { average, taskRates } from './draw.ts';

export interface Design {
  tasks: number;
  trials: number;
  /** Mean pass rate of the baseline, and how far the candidate's is below it. */
  rate: number;
  drop: number;
}

/** Pass rates of each task under two versions; every task's true rate falls in proportion. */
export function twoVersions(
  { tasks, trials, rate, drop }: Design,
  random: RandomStream,
): { before: number[][]; after: number[][] } {
  const rates = cached(rate);
  const run = (chance: number) => Array.from({ length: trials }, () => (random.uniform() < chance ? 1 : 0));
  const both = Array.from({ length: tasks }, () => {
    const chance = rates[random.index(rates.length)] ?? 0;
    return { before: run(chance), after: run(chance * (1 - drop / rate)) };
  });
  return { before: both.map(({ before }) => before), after: both.map(({ after }) => after) };
}

/** candidate - baseline of each task. */
export function changes(design: Design, random: RandomStream): number[] {
  const { before, after } = twoVersions(design, random);
  const mean = (trials: readonly number[] | undefined) => average(trials ?? [], (trial) => trial);
  return before.map((trials, task) => mean(after[task]) - mean(trials));
}

/** Labels of a human and two judges that are right independently with these chances, and share hard items. */
export function judgedTwice(
  { n, right1, right2 }: { n: number; right1: number; right2: number },
  random: RandomStream,
): { human: number[]; judge1: number[]; judge2: number[] } {
  const labels: { human: number[]; judge1: number[]; judge2: number[] } = {
    human: [],
    judge1: [],
    judge2: [],
  };
  for (let item = 0; item < n; item++) {
    const human = random.uniform() < 0.6 ? 1 : 0;
    const shared = random.uniform();
    const luck = random.uniform() < 0.6;
    const judge = (right: number) => ((luck ? shared : random.uniform()) < right ? human : 1 - human);
    labels.human.push(human);
    labels.judge1.push(judge(right1));
    labels.judge2.push(judge(right2));
  }
  return labels;
}

const made = new Map<number, number[]>();

function cached(rate: number): number[] {
  const rates = made.get(rate) ?? taskRates(rate);
  made.set(rate, rates);
  return rates;
}
