import { describe, expect, it } from 'vitest';
import { stepText, Trace } from '../../core/trace.ts';

const call = { type: 'tool', tool: 'look', arguments: { item: 'cup' }, ok: true, tier: 'executed' };

describe('a trace', () => {
  it('keeps for every step how it is known', () => {
    expect(Trace.safeParse({ steps: [call] }).success).toBe(true);
    expect(Trace.safeParse({ steps: [{ ...call, tier: undefined }] }).success).toBe(false);
    expect(Trace.safeParse({ steps: [{ ...call, tier: 'claimed' }] }).success).toBe(false);
  });

  it('takes no step of an unknown kind and no unknown key', () => {
    expect(Trace.safeParse({ steps: [{ ...call, type: 'thought' }] }).success).toBe(false);
    expect(Trace.safeParse({ steps: [{ ...call, passed: true }] }).success).toBe(false);
  });
});

describe('the text of a step', () => {
  const textOf = (step: object) => Trace.parse({ steps: [step] }).steps.map(stepText)[0];

  it('is the message, or the call with its result or error', () => {
    expect(textOf({ type: 'message', role: 'user', content: 'Hello.', tier: 'executed' })).toBe('Hello.');
    expect(textOf({ ...call, result: { left: 3 } })).toBe('look({"item":"cup"})\n{\n  "left": 3\n}');
    expect(textOf({ ...call, result: 'three' })).toBe('look({"item":"cup"})\nthree');
    expect(textOf({ ...call, ok: false, error: { code: 'gone', message: 'no cup' } })).toBe(
      'look({"item":"cup"})\n{\n  "code": "gone",\n  "message": "no cup",\n  "retryable": false\n}',
    );
    expect(textOf(call)).toBe('look({"item":"cup"})\nnull');
  });
});
