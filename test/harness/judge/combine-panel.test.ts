import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PanelVote } from '../../../core/judge.ts';
import { MOST_REASON, type Outcome, UnscoredReason } from '../../../core/verdict.ts';
import { combinePanel } from '../../../harness/judge/combine-panel.ts';
import { RUBRIC } from './fixture.ts';

const criterion = (id: string) => {
  const found = RUBRIC.criteria.find((one) => one.id === id);
  if (found === undefined) throw new Error(id);
  return found;
};
const quoteOf = (quote: string) => ({
  field: 'output' as const,
  quote,
  status: 'exact' as const,
  places: [{ start: 0, end: quote.length }],
});
const outcome = (word: string): Outcome => {
  const unscored = UnscoredReason.safeParse(word);
  if (unscored.success) return { outcome: unscored.data, reason: 'why', quotes: [] };
  return { outcome: 'scored', value: word, reason: `it is ${word}`, quotes: [quoteOf(`a quote of ${word}`)] };
};
const panel = (id: string, vote: PanelVote, words: readonly string[]) =>
  combinePanel(
    criterion(id),
    vote,
    words.map((word, index) => ({ judge: `${'abcdefg'[index] ?? index}@1`, result: outcome(word) })),
  );
const value = (result: Outcome) => (result.outcome === 'scored' ? result.value : result.outcome);

describe('a panel', () => {
  it.each<[PanelVote, string, string[], string]>([
    ['majority', 'approval', ['yes', 'no', 'yes'], 'yes'],
    ['majority', 'approval', ['yes', 'yes', 'refused'], 'yes'],
    ['majority', 'approval', ['yes', 'no', 'refused'], 'abstained'],
    ['majority', 'approval', ['yes', 'refused', 'truncated'], 'refused'],
    ['majority', 'approval', ['truncated', 'refused', 'refused'], 'refused'],
    ['majority', 'approval', ['yes', 'yes', 'no', 'no'], 'abstained'],
    ['majority', 'approval', ['yes', 'yes', 'refused', 'refused'], 'refused'],
    ['majority', 'approval', ['yes', 'yes', 'no', 'refused', 'refused'], 'abstained'],
    ['majority', 'accuracy', ['1', '2', '3'], 'abstained'],
    ['majority', 'approval', ['not_applicable', 'not_applicable', 'yes'], 'not_applicable'],
    ['median', 'accuracy', ['1', '2', '3'], '2'],
    ['median', 'accuracy', ['3', '1', '1'], '1'],
    ['median', 'accuracy', ['1', '3', 'invalid'], 'abstained'],
    ['median', 'accuracy', ['1', 'invalid', 'invalid'], 'invalid'],
    ['unanimous', 'approval', ['yes', 'yes'], 'yes'],
    ['unanimous', 'approval', ['yes', 'no'], 'abstained'],
    ['unanimous', 'approval', ['yes', 'yes', 'refused'], 'abstained'],
    ['majority', 'better', ['a', 'tie', 'a'], 'a'],
  ])('that votes %s on %s comes from %j to %s', (vote, id, words, expected) => {
    expect(value(panel(id, vote, words))).toBe(expected);
  });

  it('names in its reason what each member said, and quotes those who won', () => {
    expect(panel('approval', 'majority', ['yes', 'no', 'yes'])).toEqual({
      outcome: 'scored',
      value: 'yes',
      reason: 'majority of a@1 yes, b@1 no, c@1 yes. it is yes',
      quotes: [quoteOf('a quote of yes')],
    });
    expect(panel('approval', 'unanimous', ['yes', 'no']).reason).toBe('the panel is split: a@1 yes, b@1 no');
    expect(panel('approval', 'majority', ['yes', 'refused', 'invalid']).reason).toBe(
      'too few of the panel were scored: a@1 yes, b@1 refused, c@1 invalid. why',
    );
  });

  it('never keeps more of a reason than a verdict holds', () => {
    const long: Outcome = { outcome: 'scored', value: 'yes', reason: 'x'.repeat(MOST_REASON), quotes: [] };
    const members = ['a@1', 'b@1'].map((judge) => ({ judge, result: long }));
    expect(combinePanel(criterion('approval'), 'unanimous', members).reason).toHaveLength(MOST_REASON);
  });

  it('comes to the same whatever the order of its members, and to no value that too few gave', () => {
    const words = fc.array(fc.constantFrom('yes', 'no', 'refused'), { minLength: 3, maxLength: 7 });
    fc.assert(
      fc.property(words, fc.constantFrom<PanelVote>('majority', 'unanimous'), (said, vote) => {
        const result = panel('approval', vote, said);
        expect(value(panel('approval', vote, said.toReversed()))).toBe(value(result));
        if (result.outcome !== 'scored') return;
        const behind = said.filter((word) => word === result.value).length;
        expect(behind * 2).toBeGreaterThan(said.length);
        if (vote === 'unanimous') expect(behind).toBe(said.length);
      }),
    );
  });
});
