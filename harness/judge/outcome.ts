import type { Judge } from '../../core/judge.ts';
import type { Criterion } from '../../core/rubric.ts';
import type { SampleContent } from '../../core/sample.ts';
import type { Outcome, UnscoredReason } from '../../core/verdict.ts';
import type { Answered, Failed } from '../provider/provider.ts';
import { type Ask, CANNOT_TELL, NOT_APPLICABLE } from './ask.ts';
import { checkEvidence } from './check-evidence.ts';
import { type Reading, readReply } from './reply.ts';

/** Outcomes of one call, one a criterion, and what is wrong with its quotes. */
export interface Judged {
  outcomes: Outcome[];
  faults: string[];
}

/** What an answer comes to: how it finished is looked at before a word of it is read. */
export function judgeAnswer(
  answer: Answered,
  output: Judge['output'],
  ask: Ask,
  content: SampleContent,
): Judged {
  const unread = unreadable(answer);
  if (unread !== null) return { outcomes: ask.criteria.map(() => unread), faults: [] };
  const faults: string[] = [];
  const readings = readReply(answer.text, output, ask);
  const outcomes = ask.criteria.map((criterion, index) => {
    const reading = readings[index] ?? { read: 'invalid', why: 'the reply has no answer to it' };
    return judgeReading(reading, criterion, ask, content, faults);
  });
  return { outcomes, faults };
}

/** What a call without a reply comes to: never a value. */
export function failedOutcome(failure: Failed): Outcome {
  return unscored(failedReason(failure), `${failure.failure}: ${failure.message}`);
}

export function unscored(outcome: UnscoredReason, reason: string): Outcome {
  return { outcome, reason, quotes: [] };
}

function failedReason({ failure, maybeBilled }: Failed): UnscoredReason {
  if (failure === 'too_long') return 'truncated';
  if (failure === 'filtered') return 'filtered';
  const unheard = failure === 'timeout' || failure === 'network' || failure === 'aborted';
  return unheard && maybeBilled ? 'unknown' : 'provider_error';
}

function unreadable({ finish, detail }: Answered): Outcome | null {
  switch (finish) {
    case 'stop':
      return null;
    case 'length':
      return unscored('truncated', 'the reply was cut off at the token limit');
    case 'context':
      return unscored('truncated', "the prompt and the reply did not fit the model's context");
    case 'refusal':
      return unscored('refused', `the model refused: ${(detail ?? 'no reason given').slice(0, 2000)}`);
    case 'filter':
      return unscored(
        'filtered',
        `a content filter stopped the reply: ${(detail ?? 'no reason given').slice(0, 2000)}`,
      );
    case 'other':
      return unscored('invalid', `the model stopped for an unknown reason: ${detail ?? 'none given'}`);
  }
}

function judgeReading(
  reading: Reading,
  criterion: Criterion,
  ask: Ask,
  content: SampleContent,
  faults: string[],
): Outcome {
  if (reading.read === 'invalid') return unscored('invalid', reading.why);
  const { value, reason, claims } = reading;
  const checked = checkEvidence(content, ask, criterion, claims);
  const isLevel = criterion.levels.some((level) => level.value === value);
  if (!isLevel && value === CANNOT_TELL) return { outcome: 'abstained', reason, quotes: checked.quotes };
  if (!isLevel && value === NOT_APPLICABLE)
    return { outcome: 'not_applicable', reason, quotes: checked.quotes };
  if (checked.faults.length === 0) return { outcome: 'scored', value, reason, quotes: checked.quotes };
  faults.push(...checked.faults);
  return { outcome: 'unsupported', reason: checked.faults.join(' ').slice(0, 8000), quotes: checked.quotes };
}
