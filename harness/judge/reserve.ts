import { type Judge, judgeRef } from '../../core/judge.ts';
import { Problem, TRY_LATER } from '../../core/problem.ts';
import type { WorkspaceConfig } from '../../core/workspace.ts';
import { findPrice } from '../provider/price.ts';
import type { Attempt, Ledger, OverBudget, PlannedCall } from './ledger.ts';

/**
 * Writes the intent of an attempt once the budgets have room for it; waits while attempts in flight may give some back.
 * @returns the intent's id, or null where the run is stopped meanwhile.
 * @throws Problem `budget_spent` where nothing more will come back, `price_unknown` where a budget meets a call without a
 * price.
 */
export async function reserve(
  ledger: Ledger,
  run: string,
  call: PlannedCall,
  attempt: Attempt,
  { judge, stop, stamp }: { judge: Judge; stop: AbortSignal; stamp: () => string },
): Promise<number | null> {
  while (!stop.aborted) {
    const settled = ledger.settled();
    const intent = await ledger.intend(run, call, attempt, stamp());
    if ('id' in intent) return intent.id;
    if ('unpriced' in intent) throw priceUnknown(judge, `what sample ${call.sample} can cost`);
    if (intent.over.in_flight === 0) throw budgetSpent(intent.over, attempt);
    await settled;
  }
  return null;
}

/**
 * Makes sure that a judge has a price, as a budget needs one.
 * @throws Problem `price_unknown`
 */
export function requirePrice(judge: Judge, own: WorkspaceConfig['prices']): void {
  if (findPrice(judge.provider, judge.model, own) === null) throw priceUnknown(judge, 'its price');
}

/** Where a budget meets a call without a price. */
export function priceUnknown(judge: Judge, what: string): Problem {
  return new Problem(
    'price_unknown',
    `judge ${judgeRef(judge)} can't be held to a budget: ${what} is not known (${judge.provider}, ${judge.model})`,
    {
      remedy: `Give its price in touchstone.yaml, in US dollars for a million tokens: prices: [{provider: ${judge.provider}, model: ${judge.model}, input: 0, output: 0}]; or run without a budget.`,
    },
  );
}

/** Where a budget has no room, and nothing more will come back to it. */
export function budgetSpent({ budget, limit_usd, committed_usd }: OverBudget, attempt: Attempt): Problem {
  const whose = budget === 'run' ? 'this run' : 'this day';
  return new Problem(
    'budget_spent',
    `the budget of ${whose}, ${dollars(limit_usd)}, has no room for the next call: ${dollars(committed_usd)} is spent or reserved, and it may cost ${dollars(attempt.ceiling_usd ?? 0)}`,
    {
      remedy:
        budget === 'run'
          ? 'Raise the budget and run again: what was answered is kept.'
          : 'Raise budgets.day_usd in touchstone.yaml, or run again tomorrow (UTC): what was answered is kept.',
      exitCode: TRY_LATER,
    },
  );
}

function dollars(usd: number): string {
  return `$${usd.toFixed(usd < 0.1 ? 6 : 2)}`;
}
