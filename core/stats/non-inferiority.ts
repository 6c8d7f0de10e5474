import { z } from 'zod';
import { adjustP } from './adjust-p.ts';
import { tCdf, tQuantile } from './distribution.ts';
import { finite } from './estimate.ts';
import { requireCount, requireFraction, requireReal, requireThat } from './input.ts';
import { constant, mean, meanError, variance } from './moments.ts';
import { multiplier } from './power.ts';
import { signFlipExact } from './sign-flip.ts';
import { Reason } from './stat.ts';

/** What a gate measured and decided; d = candidate − baseline, higher is better. */
export const NonInferiority = z.strictObject({
  mean: z.number().nullable(),
  /** One-sided bounds of the true change at 1 − alpha. */
  lower: z.number().nullable(),
  upper: z.number().nullable(),
  /** One-sided p of a drop. */
  pDrop: z.number().nullable(),
  decision: z.enum(['pass', 'fail', 'inconclusive']),
  status: z.enum(['ok', 'degenerate', 'insufficient']),
  reason: Reason.optional(),
  notes: z.array(z.string()),
  /** Tasks. */
  n: z.number(),
  margin: z.number(),
  alpha: z.number(),
  /** The smallest drop this gate would see with power .8; above `margin` the suite is too small for the gate. */
  mde: z.number().nullable(),
});
export type NonInferiority = z.infer<typeof NonInferiority>;

export interface GateOptions {
  /** The largest drop that is tolerated, above 0 or 0. */
  margin: number;
  alpha?: number;
  /** Trials a task (K), and the k of pass^k. */
  trials?: number;
  k?: number;
  /** A metric without bounds (log cost): no pseudo tasks, and small suites may pass. */
  unbounded?: boolean;
}

/** Below this many tasks a suite may fail but not certify a margin under 10 points. */
const SMOKE_TASKS = 20;

/**
 * Is a candidate not worse than the baseline by more than `margin`, task by task? pass: the lower bound clears
 * −margin; fail: not so, and a drop is proven (pDrop ≤ alpha; for several metrics see holmGates); else inconclusive.
 * The lower bound is a paired t with two pseudo tasks ±1/√K_e, which keeps its level where all tasks are unchanged;
 * pDrop is the exact sign-flip p below 20 tasks, else the paired t. Under two tasks: TOO_FEW_TASKS. All unchanged and
 * not cleared: NO_CHANGE_OBSERVED. Not for hard rules (hardRule). "Fail if the rate dropped" fails 26-50 % of unchanged builds.
 */
export function nonInferiorityGate(d: readonly number[], options: GateOptions): NonInferiority {
  const { margin, alpha = 0.05, trials = 1, k = 1, unbounded = false } = options;
  requireReal(d, 'd');
  requireFraction(alpha, 'alpha');
  requireReal([margin], 'margin');
  requireThat(margin >= 0, 'margin must not be negative');
  requireCount(trials, 'trials', 1);
  requireCount(k, 'k', 1);
  const n = d.length;
  const base = { n, margin, alpha, notes: [] };
  if (n < 2) {
    const single = { mean: n === 0 ? null : mean(d), lower: null, upper: null, pDrop: null, mde: null };
    return { ...base, ...single, decision: 'inconclusive', status: 'insufficient', reason: 'TOO_FEW_TASKS' };
  }
  const step = 1 / Math.sqrt(Math.max(1, Math.floor(trials / k)));
  const padded = unbounded ? d : [...d, step, -step];
  const paddedError = Math.sqrt(variance(padded) / padded.length);
  const measured = {
    mean: mean(d),
    lower: finite(mean(padded) - tQuantile(1 - alpha, padded.length - 1) * paddedError),
    upper: finite(mean(d) + tQuantile(1 - alpha, n - 1) * meanError(d)),
    pDrop: dropP(d),
    mde: finite(multiplier({ alpha, sided: 1 }) * paddedError),
  };
  const gate = decide({ ...base, ...measured, status: 'ok', decision: 'inconclusive' }, measured.pDrop);
  return smokeRule(gate, unbounded);
}

/** Decides the failures of several gates that each may fail a build, by Holm's procedure; passes stand. */
export function holmGates(gates: readonly NonInferiority[]): NonInferiority[] {
  const tested = gates.filter(({ pDrop }) => pDrop !== null);
  const { holm } = adjustP(tested.map(({ pDrop }) => pDrop ?? 1));
  return gates.map((gate) => {
    const adjusted = holm[tested.indexOf(gate)];
    return gate.decision !== 'fail' || adjusted === undefined || adjusted <= gate.alpha
      ? gate
      : { ...gate, decision: 'inconclusive', notes: [...gate.notes, 'DROP_NOT_SIGNIFICANT_AFTER_HOLM'] };
  });
}

function decide(gate: NonInferiority, pDrop: number): NonInferiority {
  const notes = gate.mde !== null && gate.mde > gate.margin ? ['MARGIN_BELOW_DETECTABLE'] : [];
  const dropped = pDrop <= gate.alpha;
  if (gate.lower !== null && gate.lower >= -gate.margin) {
    return { ...gate, decision: 'pass', notes: dropped ? [...notes, 'DROP_WITHIN_MARGIN'] : notes };
  }
  if (dropped) return { ...gate, decision: 'fail', notes };
  const unchanged = gate.mean === 0 && gate.upper === 0;
  return { ...gate, notes, ...(unchanged && { status: 'degenerate', reason: 'NO_CHANGE_OBSERVED' }) };
}

function smokeRule(gate: NonInferiority, unbounded: boolean): NonInferiority {
  if (gate.decision !== 'pass' || unbounded || gate.n >= SMOKE_TASKS || gate.margin >= 0.1) return gate;
  const notes = [...gate.notes, `fewer than ${SMOKE_TASKS} tasks cannot certify a margin below 10 points`];
  return { ...gate, decision: 'inconclusive', status: 'insufficient', reason: 'TOO_FEW_TASKS', notes };
}

/** One-sided p of a drop; equal differences have no t and keep the sign-flip p, 2^−G where all fell. */
function dropP(d: readonly number[]): number {
  if (d.length < SMOKE_TASKS) return signFlipExact(d).pLess;
  const value = mean(d);
  if (constant(d)) return value < 0 ? 2 ** -d.length : 1;
  return tCdf(value / meanError(d), d.length - 1);
}
