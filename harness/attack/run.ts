import type { AttackPack, AttackReport } from '../../core/attack.ts';
import { judgeRef } from '../../core/judge.ts';
import { levelRanks } from '../../core/level-rank.ts';
import { Problem } from '../../core/problem.ts';
import type { Criterion } from '../../core/rubric.ts';
import type { Sample } from '../../core/sample.ts';
import type { Outcome } from '../../core/verdict.ts';
import { combineVotes, type Vote } from '../judge/combine.ts';
import type { JudgeMark, Ledger } from '../judge/ledger.ts';
import { type Plan, planJudge, planSample } from '../judge/plan.ts';
import { type RunEvent, type RunOptions, runJudge } from '../judge/run.ts';
import {
  type Attempt,
  attemptsOn,
  canRise,
  type Outcomes,
  type Skipped,
  type Twin,
  twinOf,
} from './attempt.ts';
import { attackFigures, endedOn, successesOf } from './figures.ts';

/** A ledger whose answers can be read back by the key of the call. */
export interface ReadableLedger extends Ledger {
  /** What was last recorded under each of these keys, by criterion. */
  outcomes(keys: readonly string[], judge: JudgeMark): Map<string, Record<string, Outcome>>;
}

export interface AttackOptions extends Omit<RunOptions, 'id' | 'samples' | 'total' | 'ledger' | 'onEvent'> {
  pack: AttackPack;
  packHash: string;
  seed: number;
  /** How many real samples the attacks are built on. */
  count: number;
  /** Real samples in the seeded order, as many as may be asked; those at the front are taken that an attack could raise. */
  candidates: readonly Sample[];
  simulated: boolean;
  /** Verdicts on the real samples are the judge's ordinary ones and go where those go. */
  twins: ReadableLedger;
  /** Verdicts on attacked samples stand apart from all others. */
  attacked: ReadableLedger;
  newId: () => string;
  onEvent: (stage: 'twins' | 'attacks', event: RunEvent) => void;
}

/**
 * Puts the attack pack to a judge through the very path that its verdicts take.
 * What was answered is stored as it arrives, so that a run that was stopped goes on where it stood.
 * @returns the report, or null where the run was stopped.
 * @throws Problem `not_attackable` where no criterion has a better and a worse; `no_samples`; what a run throws.
 */
export async function attackJudge(options: AttackOptions): Promise<AttackReport | null> {
  const { resolved, pack, dataset } = options;
  const plan = planJudge(resolved, options.fit, options.examples);
  const asked = plan.groups.flat();
  const criteria = asked.filter(isAimable);
  if (criteria.length === 0) throw notAttackable(judgeRef(resolved.judge));
  const spent: Spent = { cost_usd: 0 };
  const chosen = await chooseTwins(options, plan, criteria, spent);
  if (chosen === null) return null;
  const planned = chosen.map((twin) => attemptsOn(twin, pack));
  const attempts = planned.flatMap((one) => one.attempts);
  const outcomes = await judgeAll(
    options,
    plan,
    'attacks',
    attempts.map(({ sample }) => sample),
    spent,
  );
  if (outcomes === null) return null;
  const skipped = planned.flatMap((one) => one.skipped);
  return {
    judge: judgeRef(resolved.judge),
    judge_hash: resolved.hash,
    simulated: options.simulated,
    dataset,
    samples: chosen.map(({ sample }) => sample.id),
    ...reportOf(options, criteria, attempts, skipped, outcomes),
    left_out: asked
      .filter((criterion) => !isAimable(criterion))
      .map(({ id }) => ({ criterion: id, why: 'no pass rule says which of its levels is better' })),
    cost_usd: spent.cost_usd,
  };
}

interface Spent {
  cost_usd: number | null;
}

function isAimable(criterion: Criterion): boolean {
  return criterion.scale === 'pairwise' || levelRanks(criterion) !== null;
}

function reportOf(
  { packHash, pack, dataset, seed, now }: AttackOptions,
  criteria: readonly Criterion[],
  attempts: readonly Attempt[],
  skipped: readonly Skipped[],
  outcomes: ReadonlyMap<string, Outcomes>,
): Pick<AttackReport, 'criteria' | 'successes'> {
  const subject = { pack: pack.pack, pack_hash: packHash, dataset, seed, at: new Date(now()).toISOString() };
  const ended = criteria.map((criterion) => ({
    criterion,
    ended: endedOn(criterion.id, attempts, outcomes),
  }));
  return {
    criteria: Object.fromEntries(
      ended.map((one) => [one.criterion.id, attackFigures(one.criterion, one.ended, skipped, subject)]),
    ),
    successes: ended.flatMap((one) => successesOf(one.criterion.id, one.ended)),
  };
}

/** The first candidates that an attack could raise; where they are too few, the rest from the front. */
async function chooseTwins(
  options: AttackOptions,
  plan: Plan,
  criteria: readonly Criterion[],
  spent: Spent,
): Promise<Twin[] | null> {
  const { candidates, count } = options;
  if (candidates.length === 0) {
    throw new Problem('no_samples', `${options.dataset} has no samples to build attacks on`, {
      remedy: 'Import some, or name another dataset.',
    });
  }
  const seen: Twin[] = [];
  for (let from = 0; from < candidates.length; from += count) {
    const block = candidates.slice(from, from + count);
    const outcomes = await judgeAll(options, plan, 'twins', block, spent);
    if (outcomes === null) return null;
    seen.push(...block.map((sample) => twinOf(sample, outcomes.get(sample.id) ?? {}, criteria)));
    if (seen.filter(canRise).length >= count) break;
  }
  return [...seen.filter(canRise), ...seen.filter((twin) => !canRise(twin))].slice(0, count);
}

/** Runs the judge over samples and reads back what it said, earlier answers included. Null = it was stopped. */
async function judgeAll(
  options: AttackOptions,
  plan: Plan,
  stage: 'twins' | 'attacks',
  samples: readonly Sample[],
  spent: Spent,
): Promise<Map<string, Outcomes> | null> {
  const ledger = stage === 'twins' ? options.twins : options.attacked;
  const budget = options.budget_usd ?? null;
  const { state, cost_usd, unpriced } = await runJudge({
    ...options,
    id: options.newId(),
    samples,
    total: samples.length,
    limit: samples.length,
    budget_usd: budget === null ? null : Math.max(0, budget - (spent.cost_usd ?? budget)),
    ledger,
    onEvent: (event) => options.onEvent(stage, event),
  });
  spent.cost_usd = spent.cost_usd === null || unpriced > 0 ? null : spent.cost_usd + cost_usd;
  if (state === 'stopped') return null;
  const { judge, hash } = options.resolved;
  const simulated = options.provider?.simulated ?? false;
  const mark = { judge: judgeRef(judge), judge_hash: hash, simulated };
  return new Map(samples.map((sample) => [sample.id, outcomesOf(plan, sample, ledger, mark)]));
}

function outcomesOf(plan: Plan, sample: Sample, ledger: ReadableLedger, mark: JudgeMark): Outcomes {
  const calls = planSample(plan, sample).map(({ planned }) => planned);
  const said = ledger.outcomes(
    calls.map(({ key }) => key),
    mark,
  );
  return Object.fromEntries(
    plan.groups.flat().map((criterion) => {
      const votes = calls.flatMap(({ key, order, repeat }): Vote[] => {
        const result = said.get(key)?.[criterion.id];
        return result === undefined ? [] : [{ order, repeat, result }];
      });
      return [criterion.id, combineVotes(criterion, votes, plan.orders)];
    }),
  );
}

function notAttackable(judge: string): Problem {
  return new Problem('not_attackable', `no criterion of ${judge} has a better and a worse level`, {
    remedy:
      'Give a criterion a pass rule in the next version of the rubric: attacks have to know what they want.',
  });
}
