import { describe, expect, it } from 'vitest';
import { Rubric } from '../../core/rubric.ts';
import { lintRubric } from '../../core/rubric-lint.ts';

function lint(criterion: Record<string, unknown>): string[] {
  const rubric = Rubric.parse({
    rubric: 'r',
    version: 1,
    title: 't',
    task: 't',
    criteria: [
      {
        id: 'c',
        question: 'Does the reply state only what the record supports?',
        scale: 'binary',
        levels: [
          { value: 'no', anchor: 'States an amount that the record contradicts.' },
          { value: 'yes', anchor: 'Each claim stands in the record.' },
        ],
        not_applicable: 'The reply makes no claim.',
        ...criterion,
      },
    ],
  });
  return lintRubric(rubric).map(({ rule, severity, path }) => `${severity} ${rule} ${path}`);
}

const anchors = (...texts: (string | undefined)[]) => ({
  scale: 'ordinal',
  levels: texts.map((anchor, index) => ({ value: index + 1, ...(anchor !== undefined && { anchor }) })),
});

describe('the rubric linter', () => {
  it('is silent on a rubric that names what can be seen', () => {
    expect(lint({})).toEqual([]);
  });

  it.each([
    [
      'a level without an anchor',
      anchors('Contradicts the record.', undefined),
      ['error no_anchor criteria.0.levels.1'],
    ],
    [
      'an anchor of degree words only',
      anchors('Poor.', 'Names the order and the amount.'),
      ['warning degree_words criteria.0.levels.0.anchor'],
    ],
    [
      'anchors that differ by degree words',
      anchors('The reply is somewhat polite.', 'The reply is very polite.'),
      ['warning degree_words criteria.0.levels.1.anchor'],
    ],
    [
      'two anchors that are the same',
      anchors('Names the order and the amount.', 'Names the order and the amount.'),
      [
        'warning degree_words criteria.0.levels.1.anchor',
        'error overlapping_anchors criteria.0.levels.1.anchor',
      ],
    ],
    [
      'an anchor that code could check',
      anchors('Has fewer than 50 words.', 'Names the order.'),
      ['warning code_could_check criteria.0.levels.0.anchor'],
    ],
    [
      'two questions in one',
      { question: 'Is it accurate and is it polite?' },
      ['warning two_questions criteria.0.question'],
    ],
    [
      '“rate the quality”',
      { question: 'Rate the overall quality of the reply.' },
      ['warning rate_quality criteria.0.question'],
    ],
    ['no way out', { not_applicable: undefined }, ['warning no_way_out criteria.0']],
  ])('finds %s', (_, criterion, wanted) => {
    expect(lint(criterion)).toEqual(wanted);
  });
});
