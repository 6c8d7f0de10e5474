import { sha256 } from './hash.ts';
import type { Split } from './label-set.ts';

/**
 * Deals clusters into dev and test: clusters are put in the order of a seeded hash of their name and taken into dev
 * until its share of the items is reached. The same seed and clusters give the same split on every machine.
 * @param sizes items by cluster name; @param devShare 0..1 of the items.
 * @returns the split of each cluster. With two or more clusters neither side is empty.
 */
export function dealSplits(
  sizes: ReadonlyMap<string, number>,
  seed: number,
  devShare: number,
): Map<string, Split> {
  const order = [...sizes.keys()]
    .map((cluster) => ({ cluster, key: sha256(`split\n${seed}\n${cluster}`) }))
    .sort((one, other) => (one.key < other.key ? -1 : 1));
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  const splits = new Map<string, Split>();
  let taken = 0;
  order.forEach(({ cluster }, index) => {
    const size = sizes.get(cluster) ?? 0;
    const last = index === order.length - 1 && order.length > 1;
    const split = !last && (index === 0 || taken + size / 2 <= total * devShare) ? 'dev' : 'test';
    if (split === 'dev') taken += size;
    splits.set(cluster, split);
  });
  return splits;
}
