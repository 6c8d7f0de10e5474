import { describe, expect, it } from 'vitest';
import { Rubric } from '../../../core/rubric.ts';
import { planJudge, planSample } from '../../../harness/judge/plan.ts';
import { pair, RUBRIC, resolved, sampleOf, samples, single } from './fixture.ts';

const [sample = sampleOf(single()), other = sample] = samples(2);
const keys = (
  judge: Parameters<typeof planJudge>[0],
  of = sample,
  fit: Parameters<typeof planJudge>[1] = null,
) => planSample(planJudge(judge, fit), of).map(({ planned }) => planned.key);

describe('the plan of a judge', () => {
  it('asks each criterion in a call of its own, or all in one', () => {
    const criteria = ['accuracy', 'approval'];
    const apart = planSample(planJudge(resolved({ criteria })), sample);
    expect(apart.map(({ planned }) => planned.criteria)).toEqual([['accuracy'], ['approval']]);
    const together = planSample(planJudge(resolved({ criteria, together: true })), sample);
    expect(together.map(({ planned }) => planned.criteria)).toEqual([criteria]);
  });

  it('asks both orders of a pair, and each repeat', () => {
    const plan = planJudge(resolved({ criteria: ['better'], repeats: 2 }));
    const calls = planSample(plan, sampleOf(pair('x', 'y')));
    expect(calls.map(({ planned }) => [planned.order, planned.repeat])).toEqual([
      ['ab', 1],
      ['ab', 2],
      ['ba', 1],
      ['ba', 2],
    ]);
    expect(plan.callsPerSample).toBe(4);
  });

  it('refuses what does not fit together', () => {
    expect(() => planJudge(resolved({ criteria: ['accuracy', 'better'] }))).toThrow(
      'mixes pairwise criteria',
    );
    expect(() =>
      planJudge(resolved({ criteria: ['accuracy', 'approval'], together: true, output: 'text' })),
    ).toThrow('several criteria at once in text output');
    expect(() => planJudge(resolved({ criteria: ['depth'] }))).toThrow(
      'asks for "depth", which reply@2 lacks',
    );
    expect(() => keys(resolved(), sampleOf(pair('x', 'y')))).toThrow('is a pair');
    expect(() => keys(resolved({ criteria: ['better'] }))).toThrow('is no pair');
  });
});

describe('the key of a call', () => {
  it('is the same for the same call', () => {
    expect(keys(resolved({ repeats: 3 }))).toEqual(keys(resolved({ repeats: 3 })));
  });

  it('changes with everything that the request depends on', () => {
    const fit = { label_set: 'set@1', label_set_hash: 'x', n: 1, criteria: {} };
    const all = [
      ...keys(resolved({ repeats: 3 })),
      ...keys(resolved({ criteria: ['approval'] })),
      ...keys(resolved({ criteria: ['accuracy', 'approval'], together: true })),
      ...keys(resolved({ evidence: { reask: 0 } })),
      ...keys(resolved({ output: 'tool' })),
      ...keys(resolved({ model: 'gpt-4.1-mini-2025-04-14' })),
      ...keys(resolved({ params: { temperature: 0 } })),
      ...keys(resolved({}, '{{sample}}')),
      ...keys(resolved(), other),
      ...keys(resolved(), sampleOf(sample.content, 'a duplicate under another id')),
      ...keys(resolved(), sample, fit),
      ...keys(resolved({ criteria: ['better'] }), sampleOf(pair('x', 'y'))),
    ];
    expect(new Set(all).size).toBe(all.length);
    for (const key of all) expect(key).toMatch(/^[0-9a-f]{64}$/);
  });

  it('holds nothing else: another version, more repeats, other criteria beside it ask the same', () => {
    const [first] = keys(resolved());
    expect(keys(resolved({ version: 4, upgrades: 'accuracy-judge@3' }))).toEqual([first]);
    expect(keys(resolved({ repeats: 3 }))[0]).toBe(first);
    expect(keys(resolved({ criteria: ['accuracy', 'approval'] }))[0]).toBe(first);
  });

  it.each([
    ['another anchor', { levels: [{ value: 'no', anchor: 'It promises none.' }, { value: 'yes' }] }, false],
    ['another question', { question: 'Does it promise anything?' }, false],
    ['quotes not required', { evidence: { required: false, from: ['output'] } }, false],
    ['a way out', { not_applicable: 'Nobody asked for money.' }, false],
    ['another weight, which nobody is asked about', { weight: 3 }, true],
  ])('changes for the criterion that has %s, and for no other', (_, change, same) => {
    const judge = { criteria: ['accuracy', 'approval', 'tone'] };
    const rubric = {
      ...RUBRIC,
      version: 3,
      criteria: RUBRIC.criteria.map((criterion) =>
        criterion.id === 'approval' ? { ...criterion, ...change } : criterion,
      ),
    };
    const before = keys(resolved(judge));
    const after = keys({ ...resolved(judge), rubric: Rubric.parse(rubric) });
    expect(after.map((key, index) => key === before[index])).toEqual([true, same, true]);
  });

  it('changes for every criterion with what all are told', () => {
    const judge = resolved({ criteria: ['accuracy', 'tone'] });
    const told = { ...judge, rubric: { ...RUBRIC, guidelines: 'Amounts are in euros.' } };
    const before = keys(judge);
    for (const key of keys(told)) expect(before).not.toContain(key);
  });
});
