import { z } from 'zod';
import { pitmanMorgan } from '../../../../core/stats/central-tendency.ts';
import { leniency } from '../../../../core/stats/leniency.ts';
import { logisticRegression } from '../../../../core/stats/logistic.ts';
import { partialCorrelation } from '../../../../core/stats/partial-correlation.ts';
import { positionBias, positionChiSquare, preferenceFairness } from '../../../../core/stats/position.ts';
import { selfPreference } from '../../../../core/stats/self-preference.ts';
import { pairwiseVerbosity } from '../../../../core/stats/verbosity.ts';
import { type Adapter, adapter, ends, none, num, nums, table } from './adapter.ts';

const object = z.strictObject;
const cell = object({ judgeFamily: z.string(), authorFamily: z.string(), residuals: nums });

/** Judge biases. */
export const biasAdapters: Record<string, Adapter> = {
  positionBias: adapter(
    object({ consistentA: num, consistentB: num, firstBoth: num, secondBoth: num, mixedWithTie: num }),
    object({ level: num }),
    (counts, { level }) => {
      const bias = positionBias(counts, level);
      const conflict = ends(bias.conflictRate.ci);
      const share = ends(bias.firstShare.ci);
      const shift = ends(bias.netShift.ci);
      return {
        positionConsistency: bias.positionConsistency.value,
        conflictRate: bias.conflictRate.value,
        conflictLow: conflict.low,
        conflictHigh: conflict.high,
        firstShare: bias.firstShare.value,
        firstShareLow: share.low,
        firstShareHigh: share.high,
        netShift: bias.netShift.value,
        netShiftLow: shift.low,
        netShiftHigh: shift.high,
        p: bias.p,
      };
    },
  ),
  preferenceFairness: adapter(object({ primacy: num, recency: num, consistent: num }), none, (counts) => ({
    value: preferenceFairness(counts).value,
  })),
  positionChiSquare: adapter(object({ counts: nums }), none, ({ counts }) => ({
    ...positionChiSquare(counts),
  })),
  logisticRegression: adapter(
    object({ y: nums, X: table, cluster: z.array(z.string()).optional() }),
    none,
    ({ y, X, cluster }) => ({ ...logisticRegression(y, X, { cluster }) }),
  ),
  /** Without clusters in the case, each verdict is an item of its own. */
  lengthControlledWinRate: adapter(
    object({ y: nums, human: nums, logLengthRatio: nums, position: nums }),
    none,
    (input) => ({ ...pairwiseVerbosity({ ...input, item: input.y.map((_, index) => index) }, { seed: 1 }) }),
  ),
  partialCorrelation: adapter(
    object({ x: nums, y: nums, z: table }),
    object({ method: z.enum(['pearson', 'spearman']), level: num }),
    ({ x, y, z: controls }, options) => {
      const { value, t, df, p, ci } = partialCorrelation(x, y, controls, options);
      return { r: value, t, df, p, ...ends(ci) };
    },
  ),
  pitmanMorgan: adapter(object({ x: nums, y: nums }), none, ({ x, y }) => ({ ...pitmanMorgan(x, y) })),
  leniency: adapter(
    object({ judge: nums, human: nums }),
    object({ level: num }),
    ({ judge, human }, options) => {
      const { value, se, t, df, p, ci } = leniency(judge, human, options);
      return { mean: value, se, t, df, p, ...ends(ci) };
    },
  ),
  selfPreferenceDiD: adapter(object({ cells: z.array(cell) }), none, ({ cells }) => {
    const { value, se } = selfPreference(cells, cells[0]?.judgeFamily ?? '');
    return { did: value, se };
  }),
};
