import { setMaxListeners } from 'node:events';
import type { BaselineFit, ResolvedJudge } from '../../core/judge.ts';
import { Problem } from '../../core/problem.ts';
import type { Criterion } from '../../core/rubric.ts';
import type { SampleContent } from '../../core/sample.ts';
import { trivialAnswer } from '../../core/trivial-answer.ts';
import type { Outcome, PairOrder } from '../../core/verdict.ts';
import type { WorkspaceConfig } from '../../core/workspace.ts';
import { checkCapabilities } from '../provider/capabilities.ts';
import { createCeiling } from '../provider/ceiling.ts';
import { createFlow } from '../provider/flow.ts';
import { createPricer, findPrice } from '../provider/price.ts';
import type { Provider } from '../provider/provider.ts';
import type { Sleep } from '../provider/sleep.ts';
import { baselineOutcome, unfitted } from './baseline.ts';
import { type AttemptLog, type CallEnd, judgeCall, type Sent } from './call.ts';
import { checkFewShots, type FewShot } from './few-shot.ts';
import { drawNonce } from './nonce.ts';
import { unscored } from './outcome.ts';
import { createQuestions } from './questions.ts';
import { Source } from './source.ts';

/** A judge ready to be called, and what its calls share. */
export interface CallerOptions {
  resolved: ResolvedJudge;
  /** What a baseline judge learned from dev; null for any other. */
  fit: BaselineFit | null;
  examples: readonly FewShot[];
  /** Null for a baseline judge. */
  provider: Provider | null;
  /** The workspace's own rows of what models take and cost. */
  config: Pick<WorkspaceConfig, 'models' | 'prices'>;
  /** Most calls in flight. */
  concurrency: number;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Uniform in [0, 1). */
  random: () => number;
  sleep: Sleep;
  stop: AbortSignal;
  cutoff: AbortSignal;
}

/** A judge that can be called, be it a model or a baseline. */
export interface Caller {
  call(
    criteria: readonly Criterion[],
    order: PairOrder | null,
    content: SampleContent,
    log: AttemptLog,
    /** From 1. */
    repeat: number,
    /** As in `judgeCall`. */
    heard?: Sent | null,
  ): Promise<CallEnd>;
  /** What a reader of its verdicts has to know of who gave them, one sentence each. */
  notes(): string[];
}

/**
 * Makes the caller of a judge, with everything checked that can be before the first call.
 * @throws Problem where the model does not take the judge's parameters, a few-shot differs, or a baseline is unfitted.
 */
export function createCaller(options: CallerOptions): Caller {
  const { resolved, provider, config, now, sleep, random } = options;
  const { judge } = resolved;
  if (judge.provider === 'baseline') return baselineCaller(options);
  if (provider === null) {
    throw new Problem('no_provider', `judge ${judge.judge} needs its provider ${judge.provider}`, {
      remedy: 'Report this: a judge was about to be run without its provider.',
    });
  }
  checkCapabilities(judge, config.models);
  checkFewShots(resolved.examples, options.examples);
  const questions = createQuestions(resolved, options.examples, () => drawNonce(random));
  const price = findPrice(judge.provider, judge.model, config.prices);
  const source = new Source(judge);
  const context = {
    judge,
    provider,
    price: createPricer(price),
    ceiling: createCeiling(price),
    flow: createFlow({ limit: options.concurrency, now, sleep }),
    source,
    now,
    random,
    sleep,
    stop: shared(options.stop),
    cutoff: shared(options.cutoff),
  };
  return {
    call: (criteria, order, content, log, repeat, heard = null) => {
      const why = judge.trivial === 'ask' ? null : trivialAnswer(content, [resolved.rubric.task]);
      if (why !== null)
        return withoutCall(
          criteria.map(() => unscored('trivial', `the answer ${why}`)),
          options,
          log,
        );
      return judgeCall(questions(criteria, content.kind, order), content, context, log, repeat, heard);
    },
    notes: () => source.notes(),
  };
}

/** The same signal for any number of listeners: each call in flight has one. */
function shared(signal: AbortSignal): AbortSignal {
  const own = AbortSignal.any([signal]);
  setMaxListeners(0, own);
  return own;
}

function baselineCaller(options: CallerOptions): Caller {
  const { judge } = options.resolved;
  const { fit } = options;
  if (fit === null) throw unfitted(judge, 'any label set');
  const call: Caller['call'] = (criteria, _order, content, log) => {
    const outcomes = criteria.map((criterion) => baselineOutcome(judge, fit, criterion, content));
    return withoutCall(outcomes, options, log);
  };
  return { call, notes: () => [] };
}

/** Records outcomes that no model was asked for. */
async function withoutCall(
  outcomes: Outcome[],
  { resolved: { judge }, stop }: CallerOptions,
  log: AttemptLog,
): Promise<CallEnd> {
  if (stop.aborted) return { end: 'unsent' };
  const served = { served_model: judge.model, fingerprint: null };
  const receipt = { usage: null, cost_usd: 0, request_id: null, ms: 0, lost: false, raw: null };
  const attempt = await log.open({ turn: 1, max_output_tokens: 0, ceiling_usd: 0 });
  if (attempt === null) return { end: 'unsent' };
  const result = { outcomes, final: true, ...served };
  await log.close(attempt, { ...receipt, ...served }, result);
  return { end: 'recorded', result, stop: null };
}
