import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findQuote } from '../../../core/evidence.ts';
import type { SampleContent } from '../../../core/sample.ts';
import { createAsk } from '../../../harness/judge/ask.ts';
import { checkEvidence } from '../../../harness/judge/check-evidence.ts';
import { OUTPUT, pair, RUBRIC, resolved, single } from './fixture.ts';

function check(
  id: string,
  content: SampleContent,
  claims: { field: string; step?: number; quote: string; start?: number; end?: number }[],
  order: 'ab' | 'ba' | null = null,
) {
  const criterion = RUBRIC.criteria.find((one) => one.id === id);
  if (criterion === undefined) throw new Error(id);
  const ask = createAsk(resolved(), [criterion], content.kind, order);
  return checkEvidence(
    content,
    ask,
    criterion,
    claims.map((claim) => ({ ...claim, step: claim.step ?? null })),
  );
}

const content = single(OUTPUT, { context: 'Order 88412: 129 dollars, approved.' });

describe('evidence', () => {
  it('holds where every quote stands in the field that it names', () => {
    const { quotes, faults } = check('accuracy', content, [
      { field: 'output', quote: 'refund of 129 dollars' },
      { field: 'context', quote: 'Order 88412:  129' },
    ]);
    expect(faults).toEqual([]);
    expect(quotes).toEqual([
      { field: 'output', quote: 'refund of 129 dollars', status: 'exact', places: [{ start: 5, end: 26 }] },
      { field: 'context', quote: 'Order 88412:  129', status: 'normalised', places: [{ start: 0, end: 16 }] },
    ]);
  });

  it.each([
    ['stands nowhere', { field: 'output', quote: 'the refund was denied' }],
    ['stands in the rubric or the task alone', { field: 'output', quote: 'Does the reply state only' }],
    ['stands in a field that may not be quoted', { field: 'input', quote: 'Where is my refund?' }],
    ['stands in another field than it names', { field: 'context', quote: 'refund of 129 dollars' }],
    ['is too short', { field: 'output', quote: '129 dollars' }],
    ['is empty', { field: 'output', quote: '' }],
    ['is stitched', { field: 'output', quote: 'Your refund ... third of May.' }],
    ['differs by a digit', { field: 'output', quote: 'refund of 128 dollars' }],
    ['differs by case', { field: 'output', quote: 'YOUR REFUND of 129' }],
  ])('does not hold where a quote %s', (_, claim) => {
    const { faults } = check('accuracy', content, [claim]);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(claim.quote);
  });

  it('does not hold where one quote of several stands nowhere', () => {
    const { quotes, faults } = check('accuracy', content, [
      { field: 'output', quote: 'refund of 129 dollars' },
      { field: 'output', quote: 'refund of 999 dollars' },
    ]);
    expect(quotes.map(({ status }) => status)).toEqual(['exact', 'unsupported']);
    expect(faults).toEqual(['"refund of 999 dollars" does not stand in output.']);
  });

  it('does not hold without any quote, unless the rubric does not ask for one', () => {
    expect(check('accuracy', content, []).faults).toEqual(['There is no quote.']);
    expect(check('tone', content, []).faults).toEqual([]);
    const loose = check('tone', content, [{ field: 'output', quote: 'words of nobody at all' }]);
    expect(loose).toMatchObject({ faults: [], quotes: [{ status: 'unsupported' }] });
  });

  it('is not asked of texts that hold nothing to quote', () => {
    expect(check('approval', single('  '), []).faults).toEqual([]);
    expect(check('approval', single('x'), []).faults).toEqual(['There is no quote.']);
  });

  it('gives every place by our own offsets', () => {
    const twice = single('as was agreed, as was agreed');
    expect(check('approval', twice, [{ field: 'output', quote: 'as was agreed' }]).quotes).toMatchObject([
      {
        status: 'exact',
        places: [
          { start: 0, end: 13 },
          { start: 15, end: 28 },
        ],
      },
    ]);
  });

  it('stands where we found it, whatever offsets the judge gives, and says where they differ', () => {
    const quote = 'refund of 129 dollars';
    const places = [{ start: 5, end: 26 }];
    for (const wrong of [{ start: 6 }, { start: 5, end: 20 }, { end: 21 }, { start: -1, end: 4000.5 }])
      expect(check('accuracy', content, [{ field: 'output', quote, ...wrong }])).toEqual({
        faults: [],
        quotes: [{ field: 'output', quote, status: 'exact', places, misplaced: true }],
      });
    for (const right of [{}, { start: 5 }, { start: 5, end: 26 }])
      expect(check('accuracy', content, [{ field: 'output', quote, ...right }]).quotes).toEqual([
        { field: 'output', quote, status: 'exact', places },
      ]);
  });

  it('counts from the judged region alone, whatever stands around it', () => {
    const words = fc.string({ unit: 'grapheme', minLength: 12, maxLength: 60 });
    const region = fc.constantFrom('output', 'context', 'input', 'trace', 'task', 'rubric');
    const property = fc.property(words, words, words, region, (output, context, input, field) => {
      const texts = new Map([
        ['output', output],
        ['context', context],
      ]);
      for (const quote of [output, context, input, RUBRIC.task]) {
        const { faults, quotes } = check('accuracy', single(output, { context, input }), [{ field, quote }]);
        const status = findQuote(texts.get(field) ?? '', quote).status;
        expect(faults.length === 0).toBe(status !== 'unsupported');
        for (const found of quotes) expect(found.status).toBe(status);
      }
    });
    fc.assert(property);
  });

  it('counts in the step of its number and in no other', () => {
    const texts = fc.array(fc.string({ unit: 'grapheme', minLength: 12 }), { minLength: 1, maxLength: 6 });
    const property = fc.property(texts, fc.nat(), fc.integer({ min: -1, max: 8 }), (said, from, step) => {
      const steps = said.map((text) => ({
        type: 'message' as const,
        role: 'user' as const,
        content: text,
        tier: 'executed' as const,
      }));
      const quote = said[from % said.length] ?? '';
      const { faults } = check('followed', { kind: 'trace', input: '', trace: { steps } }, [
        { field: 'trace', step, quote },
      ]);
      const here = step > 0 ? findQuote(said[step - 1] ?? '', quote).status : 'unsupported';
      expect(faults.length === 0).toBe(here !== 'unsupported');
    });
    fc.assert(property);
  });

  it('drops quotes beyond the maximum', () => {
    const claims = Array.from({ length: 5 }, () => ({ field: 'output', quote: 'refund of 129 dollars' }));
    expect(check('accuracy', content, claims).quotes).toHaveLength(3);
  });

  it('is mapped from the slots of a pair to its answers', () => {
    const two = pair('the first answer says so', 'the second answer says so');
    const claims = [{ field: 'response_1', quote: 'the second answer' }];
    expect(check('better', two, claims, 'ba')).toMatchObject({ faults: [], quotes: [{ field: 'output_b' }] });
    expect(check('better', two, claims, 'ab').faults).toHaveLength(1);
  });

  it('is looked up in the step that it names', () => {
    const tier = 'executed' as const;
    const trace: SampleContent = {
      kind: 'trace',
      input: '',
      trace: {
        steps: [
          { type: 'message', role: 'user', content: 'Please refund my order.', tier },
          {
            type: 'tool',
            tool: 'refund',
            arguments: { id: '88412' },
            ok: true,
            result: 'done',
            events: [],
            tier,
          },
        ],
      },
    };
    const quote = 'refund({"id":"88412"})';
    expect(check('followed', trace, [{ field: 'trace', step: 2, quote }])).toMatchObject({
      faults: [],
      quotes: [{ field: 'trace', step: 2, status: 'exact' }],
    });
    for (const step of [1, 3, 0, -2])
      expect(check('followed', trace, [{ field: 'trace', step, quote }]).faults).toHaveLength(1);
    expect(check('followed', trace, [{ field: 'trace', quote }]).faults).toHaveLength(1);
  });
});
