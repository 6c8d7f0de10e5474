import padjust from '@stdlib/stats-padjust';
import { requireProbability } from './input.ts';

export interface AdjustedP {
  /** For gates: any failure may fail the build. */
  holm: number[];
  /** For bias findings shown together. */
  bh: number[];
  /** For dependent tests, as the alternative annotator test publishes it. */
  by: number[];
  bonferroni: number[];
}

/**
 * p-values adjusted for being looked at together, in input order, at most 1.
 * Source: Holm 1979; Benjamini & Hochberg 1995; Benjamini & Yekutieli 2001.
 */
export function adjustP(p: readonly number[]): AdjustedP {
  for (const value of p) requireProbability(value, 'p');
  if (p.length === 0) return { holm: [], bh: [], by: [], bonferroni: [] };
  const by = (method: 'holm' | 'bh' | 'by' | 'bonferroni') => padjust([...p], method);
  return { holm: by('holm'), bh: by('bh'), by: by('by'), bonferroni: by('bonferroni') };
}
