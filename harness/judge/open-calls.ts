import { judgeRef } from '../../core/judge.ts';
import type { Criterion } from '../../core/rubric.ts';
import type { Sample } from '../../core/sample.ts';
import type { Ledger, PlannedCall } from './ledger.ts';
import { type Plan, planSample } from './plan.ts';

/** A call that a run comprises, with all that asking it takes. */
export interface RunCall {
  planned: PlannedCall;
  criteria: readonly Criterion[];
  sample: Sample;
}

/** How a call stands before it is asked: never sent, sent and never heard of, or answered by the attempt of this id. */
export type Standing = { stands: 'unsent' } | { stands: 'unheard' } | { stands: 'answered'; by: number };

export interface LookUpOptions {
  plan: Plan;
  samples: Iterable<Sample> | AsyncIterable<Sample>;
  ledger: Pick<Ledger, 'answered' | 'unheard'>;
  /** Answers of the provider simulator and of a real provider never stand for each other. */
  simulated: boolean;
}

/** Calls looked up in the ledger at a time. */
const CHUNK = 256;

/** Every call of a plan and how it stands, in the order of the samples, a chunk at a time. */
export async function* lookUp(options: LookUpOptions): AsyncGenerator<(RunCall & Standing)[], undefined> {
  let chunk: RunCall[] = [];
  for await (const sample of options.samples) {
    chunk.push(...planSample(options.plan, sample).map((call) => ({ ...call, sample })));
    if (chunk.length < CHUNK) continue;
    yield standingsOf(chunk, options);
    chunk = [];
  }
  if (chunk.length > 0) yield standingsOf(chunk, options);
}

function standingsOf(
  chunk: readonly RunCall[],
  { plan, ledger, simulated }: LookUpOptions,
): (RunCall & Standing)[] {
  const { judge, hash } = plan.resolved;
  const keys = chunk.map(({ planned }) => planned.key);
  const answered = ledger.answered(keys, { judge: judgeRef(judge), judge_hash: hash, simulated });
  const unheard = ledger.unheard(keys);
  return chunk.map((call) => {
    const by = answered.get(call.planned.key);
    if (by !== undefined) return { ...call, stands: 'answered', by };
    return { ...call, stands: unheard.has(call.planned.key) ? 'unheard' : 'unsent' };
  });
}
