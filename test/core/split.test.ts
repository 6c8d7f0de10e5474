import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dealSplits } from '../../core/split.ts';

const sizes = fc
  .array(fc.tuple(fc.uuid(), fc.integer({ min: 1, max: 20 })), { minLength: 2, maxLength: 60 })
  .map((pairs) => new Map(pairs));

describe('dealing dev and test', () => {
  it('gives every cluster one side, and neither side is empty', () => {
    fc.assert(
      fc.property(
        sizes,
        fc.integer(),
        fc.double({ min: 0.1, max: 0.9, noNaN: true }),
        (clusters, seed, share) => {
          fc.pre(clusters.size > 1);
          const splits = dealSplits(clusters, seed, share);
          expect([...splits.keys()].sort()).toEqual([...clusters.keys()].sort());
          expect(new Set(splits.values())).toEqual(new Set(['dev', 'test']));
        },
      ),
    );
  });

  it('gives dev its share to within one cluster', () => {
    fc.assert(
      fc.property(sizes, fc.integer(), (clusters, seed) => {
        fc.pre(clusters.size > 1);
        const total = [...clusters.values()].reduce((sum, size) => sum + size, 0);
        const dev = [...dealSplits(clusters, seed, 0.4)]
          .filter(([, split]) => split === 'dev')
          .reduce((sum, [cluster]) => sum + (clusters.get(cluster) ?? 0), 0);
        expect(Math.abs(dev - 0.4 * total)).toBeLessThanOrEqual(Math.max(...clusters.values()));
      }),
    );
  });

  it('is the same for the same seed, in whatever order the clusters come', () => {
    fc.assert(
      fc.property(sizes, fc.integer(), (clusters, seed) => {
        const reversed = new Map([...clusters].reverse());
        expect(new Map([...dealSplits(reversed, seed, 0.5)].sort())).toEqual(
          new Map([...dealSplits(clusters, seed, 0.5)].sort()),
        );
      }),
    );
  });

  it('changes with the seed', () => {
    const clusters = new Map(Array.from({ length: 40 }, (_, index) => [`c${index}`, 1]));
    expect(dealSplits(clusters, 1, 0.5)).not.toEqual(dealSplits(clusters, 2, 0.5));
  });
});
