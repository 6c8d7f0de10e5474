import { normalTwoSided } from '../../core/stats/distribution.ts';
import { dependentKappaDifference } from '../../core/stats/kappa-difference.ts';
import { mcnemar } from '../../core/stats/mcnemar.ts';
import { meanT } from '../../core/stats/mean-t.ts';
import { mean } from '../../core/stats/moments.ts';
import { nonInferiorityGate } from '../../core/stats/non-inferiority.ts';
import { pairsForMcNemar, tasksForDelta } from '../../core/stats/power.ts';
import { signFlip } from '../../core/stats/sign-flip.ts';
import { suitePassHat } from '../../core/stats/suite-t.ts';
import { draw, gaussian, share, square } from './draw.ts';
import { type Row, row } from './figure.ts';
import { changes, judgedTwice, twoVersions } from './versions.ts';

/** How often a real change is found, by the default and by what people do instead. */
export function powerRows(replicates: number): Row[] {
  return [...gateTable(replicates), ...upgrades(replicates), ...planned(replicates)];
}

/** The gate table at 50 tasks x 5 trials, and the paired test against overlap of intervals at 100. */
function gateTable(replicates: number): Row[] {
  const rules = [
    { name: 'any drop', none: 0.5, real: 1, fails: (d: readonly number[]) => mean(d) < 0 },
    { name: 'drop above 3 points', none: 0.15, real: 0.97, fails: (d: readonly number[]) => mean(d) < -0.03 },
    {
      name: 'paired t',
      none: 0.05,
      real: 0.86,
      fails: (d: readonly number[]) => (meanT(d).pLess ?? 1) <= 0.05,
    },
    {
      name: 'sign-flip',
      none: 0.04,
      real: 0.82,
      fails: (d: readonly number[]) => signFlip(d, { seed: 1, B: 999 }).pLess <= 0.05,
    },
  ];
  const rows = rules.flatMap(({ name, none, real, fails }) => {
    const of = (drop: number) => {
      const size = name === 'sign-flip' ? Math.ceil(replicates / 4) : replicates;
      const design = { tasks: 50, trials: 5, rate: 0.8, drop };
      return share(81, size, (random) => fails(changes(design, random)));
    };
    return [
      row(name, '50 tasks x 5, no change', of(0), { about: none }),
      row(name, '50 tasks x 5, drop of 10 points', of(0.1), { least: real, samples: 800 }),
    ];
  });
  const gate = share(82, replicates, (random) => {
    const d = changes({ tasks: 50, trials: 5, rate: 0.8, drop: 0.1 }, random);
    return nonInferiorityGate(d, { margin: 0.05, trials: 5 }).decision === 'fail';
  });
  const design = { tasks: 100, trials: 5, rate: 0.8, drop: 0.05 };
  const paired = share(83, replicates, (random) => (meanT(changes(design, random)).p ?? 1) <= 0.05);
  const apart = share(83, replicates, (random) => {
    const { before, after } = twoVersions(design, random);
    return (suitePassHat(after).ci?.high ?? 1) < (suitePassHat(before).ci?.low ?? 0);
  });
  return [
    ...rows,
    row('gate fails', '50 tasks x 5, drop of 10 points', gate, { least: 0.86, samples: 800 }),
    row('paired t', '100 tasks x 5, drop of 5 points', paired, { least: 0.73, samples: 800 }),
    row('intervals do not overlap', '100 tasks x 5, drop of 5 points', apart, { most: 0.15 }),
  ];
}

/** Dependent kappas: what both judges share cancels. Independent: as if they had seen different items. */
function upgrades(replicates: number): Row[] {
  const found = (finds: (p: { dependent: number; independent: number }) => boolean) =>
    share(84, replicates, (random) => {
      const { human, judge1, judge2 } = judgedTwice({ n: 200, right1: 0.85, right2: 0.92 }, random);
      const change = dependentKappaDifference(human, judge1, judge2, { categories: [0, 1] });
      const z = (change.value ?? 0) / Math.hypot(change.se1 ?? 1, change.se2 ?? 1);
      return finds({ dependent: change.p ?? 1, independent: normalTwoSided(z) });
    });
  const dependent = found((p) => p.dependent <= 0.05);
  const independent = found((p) => p.independent <= 0.05);
  const [high, low] = [dependent.held / dependent.of, independent.held / independent.of];
  return [
    row('dependent kappas', 'n 200, judges right .85 and .92', dependent, { least: low + 0.15 }),
    row('kappas as if independent', 'n 200, judges right .85 and .92', independent, { most: high - 0.15 }),
  ];
}

/** Sizes that the planner gives reach the power that was asked for, .8. */
function planned(replicates: number): Row[] {
  const noise = { omega2: 0.04, sigmaA2: 0.12, kA: 5, sigmaB2: 0.12, kB: 5 };
  const tasks = tasksForDelta({ ...noise, delta: 0.05 }).n;
  const spread = Math.sqrt(noise.omega2 + (noise.sigmaA2 + noise.sigmaB2) / 5);
  const byTask = share(85, replicates, (random) => {
    const d = Array.from({ length: tasks }, () => 0.05 + spread * gaussian(random));
    return (meanT(d).p ?? 1) <= 0.05;
  });
  const pairs = pairsForMcNemar({ discordant: 0.3, delta: 0.1 }).n;
  const byPair = share(86, replicates, (random) => {
    return mcnemar(square(draw([0.5, 0.1, 0.2, 0.2], pairs, random))).midP <= 0.05;
  });
  return [
    row('tasks planned for .8', `${tasks} tasks x 5, 5 points`, byTask, { about: 0.8, samples: 1e6 }),
    row('pairs planned for .8', `${pairs} pairs, 10 points`, byPair, { about: 0.8, samples: 1e6 }),
  ];
}
