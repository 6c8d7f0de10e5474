import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, contentHash, sha256 } from '../../core/hash.ts';
import { canonicalContent, clusterOf, identify, type SampleContent } from '../../core/sample.ts';
import { nativeDigest } from '../../harness/digest.ts';

describe('hashes', () => {
  it('are the same by Node’s crypto and by ours', () => {
    const text = fc.string({ unit: 'binary' }).filter((one) => one.isWellFormed());
    fc.assert(
      fc.property(text, (one) => {
        expect(nativeDigest(one)).toBe(sha256(one));
      }),
    );
  });

  it('do not depend on the order of keys', () => {
    expect(contentHash({ a: 1, b: [{ d: 2, c: 3 }] })).toBe(contentHash({ b: [{ c: 3, d: 2 }], a: 1 }));
  });

  it('follow RFC 8785: its own example', () => {
    const value = {
      numbers: [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 1e-27],
      string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/',
      literals: [null, true, false],
    };
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });
});

describe('a sample', () => {
  const content = { kind: 'single', input: 'q', output: 'a' } as const;

  it('has canonical content whatever the order in which its parts were given', () => {
    const text = fc.string({ unit: 'binary' }).filter((one) => one.isWellFormed());
    const contents: fc.Arbitrary<SampleContent> = fc.oneof(
      fc.record({ output: text, kind: fc.constant('single' as const), input: text, context: text }),
      fc.record({
        reference: text,
        outputs: fc.record({ b: text, a: text }),
        input: text,
        kind: fc.constant('pair' as const),
      }),
    );
    fc.assert(
      fc.property(contents, (one) => {
        expect(canonicalContent(one)).toBe(canonicalJson(one));
      }),
    );
  });

  it('is known by its content, whatever its metadata', () => {
    expect(identify(content, { metadata: { a: 1 } }).id).toBe(identify(content, { metadata: {} }).id);
    expect(identify({ ...content, output: 'b' }, { metadata: {} }).id).not.toBe(
      identify(content, { metadata: {} }).id,
    );
  });

  it('under two ids is two samples of one cluster', () => {
    const [one, other] = [
      identify(content, { external: '1', metadata: {} }),
      identify(content, { external: '2', metadata: {} }),
    ];
    expect(one.id).not.toBe(other.id);
    expect(clusterOf(one)).toBe(clusterOf(other));
    expect(clusterOf(identify(content, { metadata: {}, group: 'g' }))).toBe('g');
  });
});
