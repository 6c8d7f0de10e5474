import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillTemplate, placeholders } from '../../../harness/judge/template.ts';

describe('a template', () => {
  it('is filled by name, spaces allowed', () => {
    expect(fillTemplate('{{a}} and {{ b }}', { a: '1', b: '2' })).toBe('1 and 2');
  });

  it('is filled in one pass: what is filled in stays as it is', () => {
    const hostile = fc.oneof(fc.string(), fc.constantFrom('{{b}}', '$&', '$1', '{{{{a}}}}'));
    fc.assert(
      fc.property(hostile, hostile, (a, b) => {
        expect(fillTemplate('<{{a}}|{{b}}>', { a, b })).toBe(`<${a}|${b}>`);
      }),
    );
  });

  it('refuses a name that has no value, and names those that have', () => {
    expect(() => fillTemplate('{{rubrik}}', { rubric: '' })).toThrowErrorMatchingInlineSnapshot(
      `[Problem: the prompt asks for {{rubrik}}, which does not exist]`,
    );
    expect(() => fillTemplate('{{constructor}}', {})).toThrow('{{constructor}}');
    expect(() => fillTemplate("{{constructor.constructor('x')()}}", {})).toThrow('does not exist');
  });

  it('tells what it asks for', () => {
    expect(placeholders('{{a}} {{ b }} {c} {{a}}')).toEqual(new Set(['a', 'b']));
  });
});
