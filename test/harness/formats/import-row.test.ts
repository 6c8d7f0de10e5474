import { describe, expect, it } from 'vitest';
import { Rubric } from '../../../core/rubric.ts';
import type { SampleKind } from '../../../core/sample.ts';
import { nativeDigest } from '../../../harness/digest.ts';
import { toImportRow } from '../../../harness/formats/in/import-row.ts';
import { parseMapping } from '../../../harness/formats/in/mapping.ts';

const rubric = Rubric.parse({
  rubric: 'r',
  version: 1,
  title: 't',
  task: 't',
  criteria: [
    {
      id: 'better',
      question: 'Which?',
      scale: 'pairwise',
      levels: [{ value: 'a' }, { value: 'b' }, { value: 'tie' }],
    },
    { id: 'stars', question: 'How?', scale: 'ordinal', levels: [1, 2, 3].map((value) => ({ value })) },
  ],
});

function row(record: unknown, maps: string[] = [], kind: SampleKind = 'single', criterion = 'better') {
  const found = rubric.criteria.find(({ id }) => id === criterion) ?? null;
  return toImportRow(record, 3, {
    kind,
    mapping: parseMapping(maps),
    criterion: found,
    rubric,
    digest: nativeDigest,
  });
}

describe('a row of a file', () => {
  it('is read by its usual names, and what is left over becomes metadata', () => {
    expect(row({ id: 'x', question: 'Q', answer: 'A', topic: 'T' })).toMatchObject({
      line: 3,
      sample: {
        content: { kind: 'single', input: 'Q', output: 'A' },
        origin: { external: 'x', metadata: { topic: 'T' } },
      },
    });
  });

  it('is read by a mapping: dotted path, JSON pointer, template', () => {
    const got = row({ q: { text: 'Q' }, 'a.b': ['A'], c: 'C' }, [
      'input=q.text',
      'output=/a.b/0',
      'context={c}, {missing}!',
    ]);
    expect(got).toMatchObject({ sample: { content: { input: 'Q', output: 'A', context: 'C, !' } } });
  });

  it('has the identity of its content, and of its own id where it has one', () => {
    const id = (record: unknown) => {
      const got = row(record, ['input=i', 'output=o']);
      return 'sample' in got ? got.sample.id : got.fault;
    };
    expect(id({ i: 'q', o: 'a' })).toBe(id({ i: 'q', o: 'a', extra: 1 }));
    expect(id({ id: '1', i: 'q', o: 'a' })).not.toBe(id({ id: '2', i: 'q', o: 'a' }));
    expect(id({ i: 'q', o: 'a' })).toMatch(/^s_[0-9a-f]{20}$/);
  });

  it.each([
    ['a missing text', { input: 'q' }, 'output: missing (a single sample needs it; --map output='],
    [
      'an id that reading would change',
      { id: Number('9007199254740993'), input: 'q', output: 'a' },
      'id: must be text',
    ],
    ['a row that is no object', ['q'], 'not an object'],
    ['metadata that is no object', { input: 'q', output: 'a', metadata: 'x' }, 'metadata: must be an object'],
    [
      'a label that is no level',
      { input: 'q', output: 'a', labels: { ann: 'maybe' } },
      'labels.ann: "maybe" is not a level of better (a, b, tie)',
    ],
  ])('is refused with %s', (_, record, why) => {
    expect(row(record)).toEqual({ line: 3, fault: expect.stringContaining(why) });
  });

  it('brings labels whatever their case, and leaves out what was not answered', () => {
    const got = row(
      { input: 'q', output_a: 'x', output_b: 'y', human: { ann: 'A', bob: null, eve: 'Tie' } },
      ['labels=human'],
      'pair',
    );
    expect(got).toMatchObject({
      labels: [
        { annotator: 'ann', criterion: 'better', value: 'a' },
        { annotator: 'eve', criterion: 'better', value: 'tie' },
      ],
    });
  });

  it('brings verdicts of each shape; one that can’t be read is unscored, never a value', () => {
    const judges = { one: 'B', two: { verdict: null, raw: '?' }, three: { ab: 'A', ba: 'nonsense' } };
    const got = row({ input: 'q', output_a: 'x', output_b: 'y', judges }, ['verdicts=judges'], 'pair');
    const verdicts = 'verdicts' in got ? got.verdicts : [];
    expect(
      verdicts.map(({ judge, order, result }) => [
        judge,
        order,
        result.outcome,
        'value' in result ? result.value : null,
      ]),
    ).toEqual([
      ['foreign:one', null, 'scored', 'b'],
      ['foreign:two', null, 'invalid', null],
      ['foreign:three', 'ab', 'scored', 'a'],
      ['foreign:three', 'ba', 'invalid', null],
    ]);
  });

  it('takes its criterion from the row where the mapping says so', () => {
    const got = row({ input: 'q', output: 'a', dim: 'stars', humans: { e0: 3 } }, [
      'criterion=dim',
      'labels=humans',
    ]);
    expect(got).toMatchObject({ labels: [{ criterion: 'stars', value: '3' }] });
    expect(
      row({ input: 'q', output: 'a', dim: 'size', humans: { e0: 3 } }, ['criterion=dim', 'labels=humans']),
    ).toEqual({ line: 3, fault: 'criterion: the rubric has no "size"' });
  });
});

describe('a mapping', () => {
  it('that names no field is refused with the fields there are', () => {
    expect(() => parseMapping(['outptu=x'])).toThrow('--map outptu=x: maps no known field');
    expect(() => parseMapping(['output'])).toThrow('has no "="');
  });
});
