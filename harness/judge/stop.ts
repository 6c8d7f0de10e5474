import { type Judge, judgeRef } from '../../core/judge.ts';
import { Problem, TRY_LATER } from '../../core/problem.ts';
import type { Answered, Completion, Failed } from '../provider/provider.ts';
import type { Next } from '../provider/retry.ts';

/** How the last attempt of a call ended. */
interface Ended {
  completion: Completion;
  next: Next;
  /** The model failed attempt after attempt, and waiting did not mend it. */
  broken: boolean;
  /** It was asked with more tokens than the judge's own, which the model may not take. */
  grown: boolean;
}

/** Why a run can't go on after this attempt, or null. */
export function stopAfter(
  { completion, next, broken, grown }: Ended,
  judge: Judge,
  simulated: boolean,
  now: number,
): Problem | null {
  if (completion.status === 'answered') return wrongSource(completion, judge, simulated);
  if (grown && completion.failure === 'unsupported') return null;
  if (broken) return failing(completion, judge);
  return next.do === 'give_up' ? tryLater(completion, next.waitMs, judge, now) : refused(completion, judge);
}

/** Endpoints of people's own may not say which model answers. */
const NAMELESS: ReadonlySet<Judge['provider']> = new Set(['openai-compatible', 'recorded']);

/** Another model answered than the pinned one, or a simulator that nobody declared. */
function wrongSource(answer: Answered, judge: Judge, simulated: boolean): Problem | null {
  if (answer.simulator && !simulated) {
    return new Problem(
      'simulator_unmarked',
      `the answers to judge ${judgeRef(judge)} come from the provider simulator`,
      {
        remedy:
          'Mark the endpoint with simulated: true in touchstone.yaml (for a hosted provider set TOUCHSTONE_SIMULATED=1), so that its figures say so.',
      },
    );
  }
  if (judge.allow_floating || answer.servedModel === judge.model) return null;
  if (answer.servedModel === null && NAMELESS.has(judge.provider)) return null;
  const served = answer.servedModel ?? 'a model that it does not name';
  return new Problem(
    'served_model',
    `judge ${judgeRef(judge)} is pinned to ${judge.model}, and ${served} answered; nothing of that answer was scored`,
    {
      remedy: `Find out why the provider serves another model. To judge with ${served}, make the next version of the judge.`,
    },
  );
}

function failing({ message }: Failed, judge: Judge): Problem {
  return new Problem(
    'provider_failing',
    `the provider of judge ${judgeRef(judge)} (${judge.model}) fails call after call, the last with: ${message}`,
    {
      remedy: 'Look at the provider, then run again: what was answered is kept.',
      exitCode: TRY_LATER,
    },
  );
}

function tryLater({ failure, message }: Failed, waitMs: number, judge: Judge, now: number): Problem {
  const who = `judge ${judgeRef(judge)} (${judge.model})`;
  const at = new Date(now + waitMs).toISOString();
  return failure === 'network'
    ? new Problem('unreachable', `${who} can't reach its provider: ${message}`, {
        remedy: 'Check the network and the base URL, then run again: what was answered is kept.',
        exitCode: TRY_LATER,
      })
    : new Problem('provider_busy', `${who} was told to wait for longer than a run waits: ${message}`, {
        remedy: `Run again after ${at}: what was answered is kept.`,
        exitCode: TRY_LATER,
      });
}

function refused({ failure, message }: Failed, judge: Judge): Problem | null {
  const who = `judge ${judgeRef(judge)} (${judge.provider}, ${judge.model})`;
  switch (failure) {
    case 'auth':
      return new Problem('key_refused', `the provider refused the key of ${who}: ${message}`, {
        remedy: 'Set a key that may use this model, then run again.',
      });
    case 'not_found':
      return new Problem('model_gone', `the provider has no such model for ${who}: ${message}`, {
        remedy:
          'If the snapshot was retired, make the next version of the judge with a new pin and compare the two.',
      });
    case 'unsupported':
      return new Problem('unsupported_parameter', `the model does not take what ${who} sets: ${message}`, {
        remedy: 'Take the parameter out in the next version of the judge.',
      });
    case 'quota':
      return new Problem('quota', `the account of ${who} has run out: ${message}`, {
        remedy: 'Add credit or raise the limit, then run again: what was answered is kept.',
        exitCode: TRY_LATER,
      });
    default:
      return null;
  }
}
