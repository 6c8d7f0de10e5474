import type { Problem } from '../../core/problem.ts';
import { identify, type SampleContent } from '../../core/sample.ts';
import type { Usage } from '../../core/trace.ts';
import type { CallReceipt, Outcome } from '../../core/verdict.ts';
import { nativeDigest } from '../digest.ts';
import type { AttemptLog } from './call.ts';
import { type CallerOptions, createCaller } from './caller.ts';
import { combineVotes, type Vote } from './combine.ts';
import { planJudge, planSample } from './plan.ts';

/** What a judge makes of one sample. */
export interface SampleJudgement {
  /** By criterion: the outcome over all orders and repeats; null where the judge was stopped before it could answer. */
  outcomes: Record<string, Outcome | null>;
  /** Null where an attempt has no known cost. */
  cost_usd: number | null;
  /** Null where an attempt has no known use. */
  usage: Usage | null;
  served_model: string | null;
  fingerprint: string | null;
}

/** Makes a judge that grades one sample at a time, without a ledger: for suites. Its calls share one pause. */
export type SampleJudge = (content: SampleContent) => Promise<SampleJudgement>;

/**
 * Prepares a judge for samples that come one by one.
 * @throws Problem as `createCaller`; the judge itself throws the Problem that would stop a run, and goes on throwing it.
 */
export function createSampleJudge(options: CallerOptions): SampleJudge {
  const plan = planJudge(options.resolved, options.fit, options.examples);
  const { call } = createCaller(options);
  let stopped: Problem | null = null;
  return async (content) => {
    const receipts: CallReceipt[] = [];
    const log: AttemptLog = {
      open: async () => receipts.length,
      close: async (_attempt, receipt) => {
        receipts.push(receipt);
      },
    };
    const votes = new Map<string, Vote[]>();
    const calls = planSample(plan, identify(content, { metadata: {} }, nativeDigest));
    await Promise.all(
      calls.map(async ({ planned: { order, repeat }, criteria }) => {
        const ended = await call(criteria, order, content, log, repeat);
        if (ended.end === 'recorded') stopped ??= ended.stop;
        if (stopped !== null) throw stopped;
        if (ended.end === 'unsent') return;
        criteria.forEach(({ id }, index) => {
          const result = ended.result.outcomes[index];
          if (result !== undefined) votes.set(id, [...(votes.get(id) ?? []), { order, repeat, result }]);
        });
      }),
    );
    const asked = plan.groups.flat();
    return {
      outcomes: Object.fromEntries(
        asked.map((criterion) => [
          criterion.id,
          combineVotes(criterion, votes.get(criterion.id) ?? [], plan.orders),
        ]),
      ),
      ...totals(receipts),
    };
  };
}

/** Grades one sample by all of a judge's criteria, orders and repeats. */
export function judgeSample(options: CallerOptions, content: SampleContent): Promise<SampleJudgement> {
  return createSampleJudge(options)(content);
}

function totals(receipts: readonly CallReceipt[]): Omit<SampleJudgement, 'outcomes'> {
  const last = receipts.at(-1);
  const costs = receipts.map(({ cost_usd }) => cost_usd);
  return {
    cost_usd: costs.reduce((sum, cost) => (sum === null || cost === null ? null : sum + cost), 0),
    usage: receipts.map(({ usage }) => usage).reduce(addUsage, NO_USE),
    served_model: last?.served_model ?? null,
    fingerprint: last?.fingerprint ?? null,
  };
}

const NO_USE: Usage = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  cacheWriteHour: 0,
  reasoning: 0,
};

function addUsage(sum: Usage | null, use: Usage | null): Usage | null {
  if (sum === null || use === null) return null;
  return {
    input: sum.input + use.input,
    output: sum.output + use.output,
    cacheRead: sum.cacheRead + use.cacheRead,
    cacheWrite: sum.cacheWrite + use.cacheWrite,
    cacheWriteHour: sum.cacheWriteHour + use.cacheWriteHour,
    reasoning: sum.reasoning + use.reasoning,
  };
}
