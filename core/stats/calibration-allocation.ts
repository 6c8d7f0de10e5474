import { requireCount, requireProbability, requireThat } from './input.ts';

export interface Allocation {
  nPosRaw: number;
  nNegRaw: number;
  /** Whole labels that sum to m, at least 10 of each kind where m allows. */
  nPos: number;
  nNeg: number;
}

/**
 * How to split m labels between known passes and known failures so that Rogan-Gladen's θ is most precise:
 * θ√(TPR(1−TPR)) : (1−θ)√(TNR(1−TNR)) (Neyman). `p` is the judge's pass rate, TPR and TNR are guesses.
 * An even split where neither rate is uncertain. Source: Neyman 1934; Lee et al. 2025 (arXiv 2511.21140).
 */
export function calibrationAllocation(m: number, guess: { p: number; tpr: number; tnr: number }): Allocation {
  requireCount(m, 'm');
  const { p, tpr, tnr } = guess;
  for (const [name, rate] of Object.entries(guess)) requireProbability(rate, name);
  requireThat(tpr + tnr > 1, 'TPR + TNR must exceed 1');
  const theta = Math.min(1, Math.max(0, (p + tnr - 1) / (tpr + tnr - 1)));
  const positive = theta * Math.sqrt(tpr * (1 - tpr));
  const negative = (1 - theta) * Math.sqrt(tnr * (1 - tnr));
  const share = positive + negative === 0 ? 0.5 : positive / (positive + negative);
  const least = Math.min(10, Math.floor(m / 2));
  const nPos = Math.min(m - least, Math.max(least, Math.round(m * share)));
  return { nPosRaw: m * share, nNegRaw: m * (1 - share), nPos, nNeg: m - nPos };
}
