import { goldOf } from '../../core/gold.ts';
import type { PanelVote } from '../../core/judge.ts';
import type { Criterion } from '../../core/rubric.ts';
import { MOST_REASON, type Outcome } from '../../core/verdict.ts';
import { commonestUnscored } from './combine.ts';

/** What one member of a panel said of a sample, its orders and repeats combined. */
export interface MemberOutcome {
  judge: string;
  result: Outcome;
}

/**
 * The one outcome that a panel's members come to; its reason names each member's value.
 * Majority: the value of more than half of the members. Median: the middle level of those scored. Both are unscored for
 * the commonest reason where no more than half were scored. Unanimous: the value that every member gave.
 * A panel that settles on nothing abstains.
 */
export function combinePanel(
  criterion: Pick<Criterion, 'scale' | 'levels'>,
  vote: PanelVote,
  members: readonly MemberOutcome[],
): Outcome {
  const scored = members.flatMap(({ judge, result }) =>
    result.outcome === 'scored' ? [{ annotator: judge, ...result }] : [],
  );
  const said = members
    .map(({ judge, result }) => `${judge} ${result.outcome === 'scored' ? result.value : result.outcome}`)
    .join(', ');
  if (vote !== 'unanimous' && scored.length * 2 <= members.length) {
    const { outcome, reason } = commonestUnscored(members);
    return { outcome, reason: cut(`too few of the panel were scored: ${said}. ${reason}`), quotes: [] };
  }
  const value = settle(criterion, vote, members.length, scored);
  if (value === null) return { outcome: 'abstained', reason: `the panel is split: ${said}`, quotes: [] };
  const voices = scored.filter((member) => member.value === value);
  const quotes = new Map(
    voices.flatMap((member) => member.quotes).map((quote) => [JSON.stringify(quote), quote]),
  );
  const reason = cut(`${vote} of ${said}. ${voices[0]?.reason ?? ''}`);
  return { outcome: 'scored', value, reason, quotes: [...quotes.values()] };
}

function settle(
  criterion: Pick<Criterion, 'scale' | 'levels'>,
  vote: PanelVote,
  members: number,
  scored: readonly { annotator: string; value: string }[],
): string | null {
  if (vote === 'median') return goldOf(scored, criterion)?.value ?? null;
  const needed = vote === 'unanimous' ? members : Math.floor(members / 2) + 1;
  const enough = scored.find(({ value }) => scored.filter((other) => other.value === value).length >= needed);
  return enough?.value ?? null;
}

function cut(reason: string): string {
  return reason.slice(0, MOST_REASON);
}
