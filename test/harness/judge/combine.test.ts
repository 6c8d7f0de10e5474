import { describe, expect, it } from 'vitest';
import type { Outcome, UnscoredReason } from '../../../core/verdict.ts';
import { combineVotes, type Vote } from '../../../harness/judge/combine.ts';
import { RUBRIC } from './fixture.ts';

const criterion = (id: string) => {
  const found = RUBRIC.criteria.find((one) => one.id === id);
  if (found === undefined) throw new Error(id);
  return found;
};

const scored = (value: string): Outcome => ({
  outcome: 'scored',
  value,
  reason: `it is ${value}`,
  quotes: [],
});
const un = (outcome: UnscoredReason): Outcome => ({ outcome, reason: 'why', quotes: [] });
const result = (word: string): Outcome =>
  /^(a|b|tie|\d|yes|no|warm|plain|curt)$/.test(word) ? scored(word) : un(word as UnscoredReason);

const repeats = (...words: string[]): Vote[] =>
  words.map((word, index) => ({ order: null, repeat: index + 1, result: result(word) }));
const value = (outcome: Outcome | null) => (outcome?.outcome === 'scored' ? outcome.value : outcome?.outcome);

describe('repeats', () => {
  it.each([
    ['accuracy', ['2'], '2'],
    ['accuracy', ['1', '3', '3'], '3'],
    ['accuracy', ['1', '2', '3'], '2'],
    ['accuracy', ['1', '3'], 'abstained'],
    ['accuracy', ['3', '3', 'refused'], '3'],
    ['approval', ['yes', 'no', 'yes'], 'yes'],
    ['approval', ['yes', 'no'], 'abstained'],
    ['tone', ['warm', 'warm', 'plain', 'curt'], 'warm'],
    ['approval', ['yes', 'refused'], 'refused'],
    ['approval', ['yes', 'refused', 'truncated', 'refused'], 'refused'],
    ['approval', ['invalid', 'invalid', 'yes'], 'invalid'],
  ])('of %s %j come to %s', (id, words, expected) => {
    expect(value(combineVotes(criterion(id), repeats(...words), [null]))).toBe(expected);
  });

  it('tell in the reason that they differ', () => {
    const combined = combineVotes(criterion('approval'), repeats('yes', 'no', 'yes'), [null]);
    expect(combined?.reason).toBe('3 of 3 repeats: yes, no, yes. it is yes');
    expect(combineVotes(criterion('approval'), repeats('yes', 'yes'), [null])?.reason).toBe('it is yes');
  });
});

describe('the orders of a pair', () => {
  const both = (ab: string, ba: string) =>
    combineVotes(
      criterion('better'),
      [
        { order: 'ab', repeat: 1, result: result(ab) },
        { order: 'ba', repeat: 1, result: result(ba) },
      ],
      ['ab', 'ba'],
    );

  it.each([
    ['a', 'a', 'a'],
    ['b', 'b', 'b'],
    ['tie', 'tie', 'tie'],
    ['a', 'b', 'tie'],
    ['a', 'tie', 'tie'],
    ['a', 'refused', 'refused'],
    ['invalid', 'b', 'invalid'],
  ])('%s and %s come to %s', (ab, ba, expected) => {
    expect(value(both(ab, ba))).toBe(expected);
  });

  it('tell in the reason that the answer flipped', () => {
    expect(both('a', 'b')?.reason).toBe(
      'The answer flipped with the order: a with A first, b with B first. it is a | it is b',
    );
  });

  it('are no outcome while one of them is missing', () => {
    const half: Vote[] = [{ order: 'ab', repeat: 1, result: scored('a') }];
    expect(combineVotes(criterion('better'), half, ['ab', 'ba'])).toBeNull();
    expect(value(combineVotes(criterion('better'), half, ['ab']))).toBe('a');
    expect(combineVotes(criterion('better'), [], ['ab', 'ba'])).toBeNull();
  });

  it('each settle their repeats first', () => {
    const votes = (['ab', 'ba'] as const).flatMap((order) =>
      ['a', 'b', 'a'].map((word, index): Vote => ({ order, repeat: index + 1, result: result(word) })),
    );
    expect(value(combineVotes(criterion('better'), votes, ['ab', 'ba']))).toBe('a');
  });
});
