import { adjustP } from './adjust-p.ts';
import { isMissing, type Label } from './contingency.ts';
import { tCdf } from './distribution.ts';
import { requireCount, requireFraction, requireReal, requireSameLength, requireThat } from './input.ts';
import { mean, meanError } from './moments.ts';
import type { Reason } from './stat.ts';
import { wilcoxonLess } from './wilcoxon.ts';

export interface AltTestOptions {
  /** The human's advantage of being cheaper to replace: .2 for experts, .15 skilled annotators, .1 crowd workers. */
  epsilon?: number;
  q?: number;
  minItems?: number;
  /** Share of equal labels, or minus the root mean squared error of numeric labels. */
  score?: 'accuracy' | 'rmse';
}

export interface AltTestHuman {
  /** Position in `humans`. */
  human: number;
  n: number;
  /** Share of items on which the judge (the human) was at least as near to the other humans. */
  judgeAdvantage: number | null;
  humanAdvantage: number | null;
  meanDifference: number | null;
  p: number | null;
  rejected: boolean;
  method: 't' | 'wilcoxon';
}

export interface AltTest {
  winningRate: number | null;
  advantageProbability: number | null;
  /** Is the judge as good as half of the humans? Null where nobody was tested. */
  passes: boolean | null;
  /** Humans with enough shared items, in input order. */
  humans: AltTestHuman[];
  status: 'ok' | 'insufficient';
  reason?: Reason;
  notes: string[];
}

/**
 * Alternative annotator test: may the judge stand in for a human? For each human, is the judge at least as near to the
 * remaining humans, given an advantage epsilon? One-sided t per human (exact Wilcoxon below 30 items),
 * Benjamini-Yekutieli at q; passes at a winning rate of ½. humans[rater][item]; items with fewer than two humans do not
 * count. It says nothing of kappa or order: a judge that answers the commonest level to everything can win; show both.
 * Under two humans: insufficient. Source: Calderon, Reichart & Dror 2025 (arXiv 2501.10970).
 */
export function altTest(
  humans: readonly (readonly Label[])[],
  judge: readonly Label[],
  options: AltTestOptions = {},
): AltTest {
  const { epsilon = 0.2, q = 0.05, minItems = 30, score = 'accuracy' } = options;
  requireThat(epsilon >= 0 && epsilon < 1, 'epsilon must lie in [0, 1)');
  requireFraction(q, 'q');
  requireCount(minItems, 'minItems', 1);
  for (const labels of humans) requireSameLength(labels, judge);
  if (score === 'rmse')
    requireReal([...humans.flat(), ...judge].filter((label) => !isMissing(label)).map(Number), 'labels');
  const tested = humans.flatMap((_, human) => {
    const differences = advantages(humans, judge, human, score);
    return differences.length < minItems ? [] : [testHuman(human, differences, epsilon)];
  });
  const adjusted = adjustP(tested.map(({ p }) => p ?? 1)).by;
  const decided = tested.map((result, index) => ({ ...result, rejected: (adjusted[index] ?? 1) <= q }));
  if (decided.length === 0) {
    const none = { winningRate: null, advantageProbability: null, passes: null };
    return { ...none, humans: [], status: 'insufficient', reason: 'TOO_FEW_CALIBRATION', notes: [] };
  }
  const winningRate = decided.filter(({ rejected }) => rejected).length / decided.length;
  const notes = humans.length === 2 ? ['two humans only: each is judged by one other'] : [];
  if (decided.some(({ method }) => method === 'wilcoxon'))
    notes.push('fewer than 30 items of some humans: Wilcoxon test');
  return {
    winningRate,
    advantageProbability: mean(decided.map(({ judgeAdvantage }) => judgeAdvantage ?? 0)),
    passes: winningRate >= 0.5,
    humans: decided,
    status: 'ok',
    notes,
  };
}

/** One item's comparison: was the judge, was the human at least as near to the others? */
interface Advantage {
  judge: number;
  human: number;
}

function advantages(
  humans: readonly (readonly Label[])[],
  judge: readonly Label[],
  human: number,
  score: 'accuracy' | 'rmse',
): Advantage[] {
  return judge.flatMap((judged, item) => {
    const own = humans[human]?.[item];
    const others = humans.flatMap((labels, other) =>
      other === human || isMissing(labels[item]) ? [] : [labels[item]],
    );
    if (isMissing(judged) || isMissing(own) || others.length === 0) return [];
    const [near, far] = [nearness(judged, others, score), nearness(own, others, score)];
    return [{ judge: near >= far ? 1 : 0, human: far >= near ? 1 : 0 }];
  });
}

function nearness(label: Label, others: readonly Label[], score: 'accuracy' | 'rmse'): number {
  if (score === 'accuracy') return others.filter((other) => other === label).length / others.length;
  return -Math.sqrt(mean(others.map((other) => (Number(label) - Number(other)) ** 2)));
}

function testHuman(human: number, items: readonly Advantage[], epsilon: number): AltTestHuman {
  const d = items.map((item) => item.human - item.judge);
  const shifted = d.map((value) => value - epsilon);
  const small = d.length < 30;
  return {
    human,
    n: d.length,
    judgeAdvantage: mean(items.map((item) => item.judge)),
    humanAdvantage: mean(items.map((item) => item.human)),
    meanDifference: mean(d),
    p: small ? wilcoxonLess(shifted) : tLess(shifted),
    rejected: false,
    method: small ? 'wilcoxon' : 't',
  };
}

/** One-sided t p of a mean below 0; without spread 0 or 1. */
function tLess(values: readonly number[]): number {
  const [centre, error] = [mean(values), meanError(values)];
  if (error <= 1e-15) return centre < 0 ? 0 : 1;
  return tCdf(centre / error, values.length - 1);
}
