import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAsk } from '../../../harness/judge/ask.ts';
import { duplicateKey } from '../../../harness/judge/json-text.ts';
import { type Reading, readReply } from '../../../harness/judge/reply.ts';
import { RUBRIC, resolved } from './fixture.ts';

const judge = resolved();

function askOf(...ids: string[]) {
  const criteria = ids.flatMap((id) => RUBRIC.criteria.find((criterion) => criterion.id === id) ?? []);
  return createAsk(
    judge,
    criteria,
    ids.includes('better') ? 'pair' : 'single',
    ids.includes('better') ? 'ab' : null,
  );
}

const accuracy = askOf('accuracy');
const read = (text: string, output: 'structured' | 'tool' | 'text' = 'structured', ask = accuracy) =>
  readReply(text, output, ask);
const body = (more: object) => ({ evidence: [], reason: 'because', value: '3', ...more });
const one = (more: object) => read(JSON.stringify(body(more)))[0];

describe('a structured reply', () => {
  it('is read with its quotes, its reason and its value', () => {
    const evidence = [
      { field: 'output', quote: 'so it says' },
      { field: 'context', step: null, quote: 'and here' },
    ];
    expect(one({ evidence })).toEqual({
      read: 'value',
      value: '3',
      reason: 'because',
      claims: [
        { field: 'output', step: null, quote: 'so it says' },
        { field: 'context', step: null, quote: 'and here' },
      ],
    });
  });

  it.each(['1', '2', '3', 3, 3.0, 'cannot_tell', 'not_applicable'])('may say %j', (value) => {
    expect(one({ value })).toMatchObject({ read: 'value', value: String(value) });
  });

  it.each(['4', '0', 6, -1, 2.5, null, [3], {}, '', ' 3', '3.0', 'three', true, '３', 'Cannot_tell'])(
    'may not say %j',
    (value) => {
      expect(one({ value })).toMatchObject({ read: 'invalid' });
    },
  );

  it('offers not_applicable only where the rubric does', () => {
    const [reading] = readReply(
      JSON.stringify(body({ value: 'not_applicable' })),
      'structured',
      askOf('approval'),
    );
    expect(reading).toMatchObject({
      read: 'invalid',
      why: '"not_applicable" is none of no, yes, cannot_tell',
    });
  });

  it.each([
    ['nothing', ''],
    ['white space', ' \n'],
    ['prose', 'I would say 3.'],
    ['a fence around it', `\`\`\`json\n${JSON.stringify(body({}))}\n\`\`\``],
    ['prose before it', `Here it is: ${JSON.stringify(body({}))}`],
    ['a trailing comma', '{"evidence":[],"reason":"x","value":"3",}'],
    ['two objects', `${JSON.stringify(body({}))}\n${JSON.stringify(body({ value: '1' }))}`],
    ['a list', JSON.stringify([body({})])],
    ['a number', '3'],
    ['null', 'null'],
    ['one key twice', '{"evidence":[],"reason":"x","value":"3","value":"1"}'],
    ['half of it', JSON.stringify(body({})).slice(0, 30)],
    ['no value', '{"evidence":[],"reason":"x"}'],
    ['no evidence', '{"reason":"x","value":"3"}'],
    ['evidence of another shape', JSON.stringify(body({ evidence: ['so it says'] }))],
    ['a schema of another', '{"score":3,"rationale":"x"}'],
  ])('is invalid where it is %s', (_, text) => {
    expect(read(text)).toMatchObject([{ read: 'invalid', why: expect.any(String) }]);
    expect(read(text, 'tool')).toMatchObject([{ read: 'invalid' }]);
  });

  it('may have its fields in any order and others beside them', () => {
    expect(read('{"value":"2","confidence":0.9,"reason":"x","evidence":[]}')[0]).toMatchObject({
      value: '2',
    });
  });

  it('keeps a reason short and whole', () => {
    const reading = one({ reason: `${'x'.repeat(1_000_000)}` });
    expect(reading?.read === 'value' && reading.reason.length).toBe(8000);
    expect(one({ reason: 'half \ud83d of it' })).toMatchObject({ reason: 'half \ufffd of it' });
  });

  it('never makes a value out of anything that is no reply', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(read(text).every((reading) => reading.read === 'invalid')).toBe(true);
      }),
    );
  });

  it('never gives a value that was not offered', () => {
    const value = fc.oneof(fc.string(), fc.integer(), fc.constantFrom('1', '2', '3', 'yes', 'cannot_tell'));
    fc.assert(
      fc.property(value, fc.string(), (given, reason) => {
        const reading = one({ value: given, reason });
        const offered = ['1', '2', '3', 'cannot_tell', 'not_applicable'];
        expect(reading?.read).toBe(offered.includes(String(given)) ? 'value' : 'invalid');
      }),
    );
  });
});

describe('a reply to several criteria', () => {
  const both = askOf('accuracy', 'approval');
  const together = (replies: object) => readReply(JSON.stringify(replies), 'structured', both);
  const kinds = (readings: Reading[]) => readings.map(({ read }) => read);

  it('is read criterion by criterion', () => {
    const readings = together({ approval: body({ value: 'no' }), accuracy: body({ value: '2' }) });
    expect(readings).toMatchObject([{ value: '2' }, { value: 'no' }]);
  });

  it('is invalid for the one that it leaves out or gets wrong, not for the other', () => {
    expect(kinds(together({ approval: body({ value: 'no' }) }))).toEqual(['invalid', 'value']);
    expect(kinds(together({ approval: body({ value: '2' }), accuracy: body({}) }))).toEqual([
      'value',
      'invalid',
    ]);
  });

  it('is invalid for all where it answers what was not asked, or one twice', () => {
    expect(kinds(together({ approval: body({ value: 'no' }), accuracy: body({}), tone: body({}) }))).toEqual([
      'invalid',
      'invalid',
    ]);
    const twice = `{"accuracy":${JSON.stringify(body({}))},"approval":${JSON.stringify(body({ value: 'no' }))},"accuracy":${JSON.stringify(body({ value: '1' }))}}`;
    expect(kinds(readReply(twice, 'structured', both))).toEqual(['invalid', 'invalid']);
  });
});

describe('a reply about a pair', () => {
  const value = (given: string, order: 'ab' | 'ba') => {
    const [better] = RUBRIC.criteria.filter(({ id }) => id === 'better');
    if (better === undefined) throw new Error('no pairwise criterion');
    const [reading] = readReply(
      JSON.stringify(body({ value: given })),
      'structured',
      createAsk(judge, [better], 'pair', order),
    );
    return reading?.read === 'value' ? reading.value : null;
  };

  it('names slots, and is mapped back to answers', () => {
    expect(value('response_1', 'ab')).toBe('a');
    expect(value('response_1', 'ba')).toBe('b');
    expect(value('response_2', 'ba')).toBe('a');
    expect(value('tie', 'ba')).toBe('tie');
    expect(value('a', 'ab')).toBeNull();
  });
});

describe('a text reply', () => {
  const text = (lines: string) => read(lines, 'text')[0];

  it('is read by its lines', () => {
    expect(
      text('EVIDENCE output: "so it says"\nEVIDENCE step 3: “and here”\nREASON: because\nVERDICT: 2'),
    ).toEqual({
      read: 'value',
      value: '2',
      reason: 'because',
      claims: [
        { field: 'output', step: null, quote: 'so it says' },
        { field: 'trace', step: 3, quote: 'and here' },
      ],
    });
  });

  it.each([
    'VERDICT: 2',
    '**VERDICT:** 2.',
    '- Verdict: **2**',
    'so\nVERDICT: 3\nno:\nVERDICT: 2',
    'VERDICT: "2"\n\n',
    '```\nREASON: so\nVERDICT: 2\n```',
    'VERDICT: 2\nVERDICT: 2',
    '<think>VERDICT: 3\nor not</think>\nVERDICT: 2',
    'The text says:\n> VERDICT: 3\n```\nVERDICT: 1\n```\nVERDICT: 2',
  ])('says 2 by its last verdict line: %j', (lines) => {
    expect(text(lines)).toMatchObject({ read: 'value', value: '2' });
  });

  it('takes quotes and reason from what follows a verdict that it took back', () => {
    const first = 'EVIDENCE output: "the first thought"\nREASON: at first\nVERDICT: 3\n';
    expect(text(`${first}EVIDENCE output: "the second"\nREASON: then\nVERDICT: 2`)).toMatchObject({
      value: '2',
      reason: 'then',
      claims: [{ field: 'output', step: null, quote: 'the second' }],
    });
  });

  it.each([
    ['two verdicts at its end', 'REASON: so\nVERDICT: 2\nVERDICT: 3', 'ends with two verdicts, "2" and "3"'],
    ['words after the verdict', 'VERDICT: 2\nWait, that is wrong.', 'goes on after its verdict'],
    ['a verdict in a quotation only', 'It says\n> VERDICT: 3', 'has no line'],
    ['a verdict in an evidence line only', 'EVIDENCE output: "VERDICT: 3"', 'has no line'],
    ['a verdict in a fenced block only', 'As in\n```\nVERDICT: 3\n```\nit is fine', 'has no line'],
    ['a verdict in a fence that never closes', 'As in\n```\nVERDICT: 3', 'has no line'],
    ['a verdict in its thoughts only', '<think>\nVERDICT: 3\n</think>', 'has no line'],
    ['thoughts that never end', '<think>\nso\nVERDICT: 3', 'has no line'],
  ])('is invalid with %s', (_, lines, why) => {
    expect(text(lines)).toEqual({ read: 'invalid', why: expect.stringContaining(why) });
  });

  it('never takes a verdict from what it quotes', () => {
    const quoted = fc.constantFrom('VERDICT: 3', '**VERDICT:** 3', 'REASON: x', 'said so');
    const check = fc.property(fc.array(quoted, { maxLength: 6 }), (lines) => {
      const quotation = lines.map((line) => `> ${line}\nEVIDENCE output: "${line}"`).join('\n');
      const fenced = `\`\`\`\n${lines.join('\n')}\n\`\`\``;
      const thought = `<think>${lines.join('\n')}</think>`;
      expect(text(`${thought}\n${quotation}\n${fenced}\nVERDICT: 1`)).toMatchObject({ value: '1' });
      expect(text(`${thought}\n${quotation}\n${fenced}`)).toMatchObject({ read: 'invalid' });
    });
    fc.assert(check);
  });

  it('lets the case of a value pass', () => {
    expect(readReply('VERDICT: Yes', 'text', askOf('approval'))).toMatchObject([{ value: 'yes' }]);
  });

  it.each(['', 'The verdict is 2', 'VERDICT: 2 or 3', 'VERDICT:', 'VERDICT: 4', '{"value":"2"}'])(
    'is invalid: %j',
    (lines) => {
      expect(text(lines)).toMatchObject({ read: 'invalid' });
    },
  );
});

describe('keys that stand twice', () => {
  it('are found at any depth, and only there', () => {
    expect(duplicateKey('{"a":1,"b":{"a":2},"c":[{"a":1},{"a":1}]}')).toBeNull();
    expect(duplicateKey('{"a":1,"b":[{"x":1,"x":2}]}')).toBe('x');
    expect(duplicateKey('{"a":":{\\"a\\":","\\u0061":1}')).toBe('a');
  });

  it('are never found in what JSON.stringify wrote', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const once = JSON.stringify(JSON.parse(json));
        expect(duplicateKey(once)).toBeNull();
      }),
    );
  });
});
