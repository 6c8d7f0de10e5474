import { clusterSums } from './cluster-se.ts';
import {
  categoryPositions,
  contingencyTable,
  inferCategories,
  isMissing,
  type Label,
} from './contingency.ts';
import { tQuantile } from './distribution.ts';
import { interval } from './estimate.ts';
import { requireSameLength } from './input.ts';
import { cohenKappa, type KappaOptions, type KappaResult, kappaInfluence } from './kappa.ts';
import { wilsonPo } from './kappa-interval.ts';
import { chanceAgreement, tableShares } from './table.ts';

/**
 * cohenKappa for items that belong together (several answers to one prompt, several criteria of one sample):
 * se² = C/(C−1) Σ_clusters (Σ influence)² / n², t with C − 1 degrees of freedom. Unweighted intervals are wilson-po at
 * the effective size, n times the ratio of plain to clustered variance, between C and n. One cluster: TOO_FEW_TASKS.
 */
export function clusteredKappa(
  a: readonly Label[],
  b: readonly Label[],
  cluster: readonly (string | number)[],
  options: KappaOptions & { categories?: readonly (string | number)[] } = {},
): KappaResult & { clusters: number } {
  requireSameLength(a, cluster);
  const { level = 0.95, weights = 'unweighted', categories = inferCategories([...a, ...b]) } = options;
  const { table, nMissing } = contingencyTable(a, b, categories);
  const plain = cohenKappa(table, { ...options, nMissing });
  const kept = a.flatMap((label, item) => (isMissing(label) || isMissing(b[item]) ? [] : [item]));
  const groups = kept.map((item) => cluster[item] ?? '');
  const clusters = new Set(groups).size;
  const shares = tableShares(table, options);
  if (shares === null || plain.value === null || plain.se === null) return { ...plain, clusters };
  if (clusters < 2) {
    return {
      ...plain,
      se: null,
      ci: null,
      largeSample: null,
      status: 'insufficient',
      reason: 'TOO_FEW_TASKS',
      clusters,
    };
  }
  const position = categoryPositions(categories);
  const influence = kappaInfluence(shares);
  const values = kept.map((item) => influence(position(a[item]) ?? 0, position(b[item]) ?? 0));
  const squares = [...clusterSums(values, groups).values()].reduce((sum, value) => sum + value * value, 0);
  const se = Math.sqrt((clusters / (clusters - 1)) * squares) / shares.n;
  const t = tQuantile((1 + level) / 2, clusters - 1);
  const margin = t * se;
  const straight = interval(plain.value - margin, plain.value + margin, level, 't by cluster', [-1, 1]);
  const size = se < 1e-12 ? clusters : shares.n * (plain.se / se) ** 2;
  const n = Math.min(shares.n, Math.max(clusters, size));
  const mapped = wilsonPo({ po: shares.po, n }, chanceAgreement(shares), level, t);
  const ci = weights === 'unweighted' ? mapped : straight;
  return { ...plain, se, ci, largeSample: se < 1e-12 ? null : straight, clusters };
}
