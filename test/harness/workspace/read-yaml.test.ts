import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Problem } from '../../../core/problem.ts';
import { locate, parseYaml } from '../../../harness/workspace/read-yaml.ts';

function refusal(text: string): Problem {
  try {
    parseYaml(text, z.unknown(), 'x.yaml');
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error('it was taken');
}

describe('a YAML or JSON text', () => {
  it.each([
    ['brackets', '['.repeat(200_000)],
    ['brackets that close', `${'['.repeat(5000)}${']'.repeat(5000)}`],
    ['list marks in one line', `${'- '.repeat(20_000)}a`],
    ['indentation', Array.from({ length: 1500 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')],
  ])('is refused in a moment where it nests without end: %s', (_, text) => {
    const start = performance.now();
    expect(refusal(text).message).toContain('nested deeper than 64');
    expect(performance.now() - start).toBeLessThan(2000);
  });

  it('may hold brackets as text, as many as it likes', () => {
    const text = `a: |\n  ${'[[[('.repeat(100)}\nb: "${'['.repeat(100)}"\nc: x${' -'.repeat(100)}\n`;
    expect(parseYaml(text, z.object({ b: z.string() }), 'x.yaml').b).toHaveLength(100);
  });

  it('may go on as wide as it likes', () => {
    expect(
      parseYaml(`x:\n${'  - {a: [1]}\n'.repeat(300)}`, z.object({ x: z.array(z.unknown()) }), 'x'),
    ).toBeTruthy();
  });

  it('is refused with half a surrogate pair, whose hash would change when stored', () => {
    expect(refusal('{"a": {"b": "\\ud800"}}').report().at).toEqual([{ file: 'x.yaml', line: 1, column: 13 }]);
    expect(refusal('{"\\ud800": 1}').message).toContain('surrogate');
  });

  it('knows where a key stands, or the nearest key above it', () => {
    const text = 'tests:\n  - assert:\n      - {type: x}\n';
    expect(locate(text, ['tests', 0, 'assert', 0, 'type'], 'f')).toEqual({
      file: 'f',
      line: 3,
      column: 16,
      path: 'tests.0.assert.0.type',
    });
    expect(locate(text, ['tests', 0, 'vars'], 'f')).toMatchObject({ line: 2, column: 5 });
  });
});
