import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { SMALLEST_EFFECT } from '../../core/stats/bias-flag.ts';
import { gwetAC } from '../../core/stats/chance.ts';
import { correctedPassRate } from '../../core/stats/corrected-rate.ts';
import { cohenKappa } from '../../core/stats/kappa.ts';
import { itemsForKappaHalfWidth } from '../../core/stats/label-plan.ts';
import { mcnemar, pairedDifference } from '../../core/stats/mcnemar.ts';
import { nonInferiorityGate } from '../../core/stats/non-inferiority.ts';
import { tasksForDelta } from '../../core/stats/power.ts';
import { roganGladen } from '../../core/stats/rogan-gladen.ts';
import { Reason, type Stat } from '../../core/stats/stat.ts';
import { suiteInterval } from '../../core/stats/suite-interval.ts';
import { wilson, zeroEventsUpper } from '../../core/stats/wilson.ts';

const page = readFileSync(new URL('../../docs/statistics.md', import.meta.url), 'utf8');

const Table = z.array(z.array(z.number()));
const Counts = z.strictObject({ x: z.number(), n: z.number() });
const Suite = z.strictObject({ passed: z.array(z.number()), trials: z.number(), k: z.number() });
const Cell = z.strictObject({ labelled: z.number(), passed: z.number(), unlabelled: z.number() });
const Known = Counts.extend({ tp: z.number(), nPos: z.number(), tn: z.number(), nNeg: z.number() });
const Gate = z.strictObject({ unchanged: z.number(), margin: z.number() });
const Labels = z.strictObject({ kappa: z.number(), passRate: z.number(), halfWidth: z.number() });
const Tasks = z.strictObject({ trials: z.number(), delta: z.number() });

/** What the page's example lines compute: input as written there, result as a reader sees it. */
const examples: Record<string, (input: unknown) => string> = {
  wilson: (input) => {
    const { x, n } = Counts.parse(input);
    return withEnds(wilson(x, n), percent);
  },
  zeroEvents: (input) => withEnds(zeroEventsUpper(z.strictObject({ n: z.number() }).parse(input).n), percent),
  kappa: (input) => withEnds(cohenKappa(Table.parse(input)), short),
  ac1: (input) => withEnds(gwetAC(Table.parse(input)), short),
  suite: (input) => {
    const { passed, trials, k } = Suite.parse(input);
    const runs = passed.map((count) => Array.from({ length: trials }, (_, trial) => (trial < count ? 1 : 0)));
    return withEnds(suiteInterval(runs, k), percent);
  },
  corrected: (input) => withEnds(correctedPassRate(z.array(Cell).parse(input)), percent),
  roganGladen: (input) => withEnds(roganGladen(Known.parse(input)), percent),
  difference: (input) => withEnds(pairedDifference(Table.parse(input)), percent),
  mcnemar: (input) => `p ${mcnemar(Table.parse(input)).pExact.toFixed(3).replace('0.', '.')}`,
  gate: (input) => {
    const { unchanged, margin } = Gate.parse(input);
    const { decision, lower } = nonInferiorityGate(new Array<number>(unchanged).fill(0), { margin });
    return `${decision}, lower bound ${percent(lower ?? Number.NaN)}`;
  },
  labels: (input) => {
    const { kappa, passRate, halfWidth } = Labels.parse(input);
    return String(
      itemsForKappaHalfWidth({ kappa, passRate1: passRate, passRate2: passRate }, { halfWidth }).n,
    );
  },
  tasks: (input) => {
    const { trials, delta } = Tasks.parse(input);
    const noise = { omega2: 0.04, sigmaA2: 0.12, kA: trials, sigmaB2: 0.12, kB: trials };
    return String(tasksForDelta({ ...noise, delta }).n);
  },
};

const lines = [...page.matchAll(/```example\n([^`]*)```/g)].flatMap(([, block = '']) =>
  block.trim().split('\n'),
);

describe('the examples of docs/statistics.md', () => {
  it('use every kind of example', () => {
    expect(new Set(lines.map((line) => line.split(' ')[0]))).toEqual(new Set(Object.keys(examples)));
  });

  it.each(lines)('%s', (line) => {
    const [, name = '', input = '', result] = /^(\w+) (.+) -> (.+)$/.exec(line) ?? [];
    expect(examples[name]?.(JSON.parse(input))).toBe(result);
  });
});

describe('the tables of docs/statistics.md', () => {
  it('explain every reason, and no other', () => {
    const explained = [...page.matchAll(/^\| `([A-Z_]+)` \| \S.* \| \S.* \|$/gm)].map(([, reason]) => reason);
    expect(explained.sort()).toEqual([...Reason.options].sort());
  });

  it('name the smallest effect of every bias', () => {
    const [, table = ''] = /## Judge biases\n([\s\S]*?)\n## /.exec(page) ?? [];
    const written = [...table.matchAll(/\| (ln )?(\d?\.\d+|1\.15) \|$/gm)].map(([, log, value]) =>
      log === undefined ? Number(value) : Math.log(Number(value)),
    );
    expect(written).toEqual(Object.values(SMALLEST_EFFECT));
  });
});

function withEnds({ value, ci }: Stat, write: (share: number) => string): string {
  if (value === null || ci === null) return 'empty';
  return `${write(value)} (${write(ci.low)} to ${write(ci.high)})`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function short(coefficient: number): string {
  return coefficient.toFixed(2).replace('0.', '.');
}
