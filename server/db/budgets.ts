import { and, eq, gte, lt, type SQL, sql } from 'drizzle-orm';
import type { Intent, OverBudget } from '../../harness/judge/ledger.ts';
import type { OpenDatabase } from './open.ts';
import { attackCalls, attackReplies, calls, replies } from './schema.ts';

interface Hold {
  scopes: readonly Scope[];
  usd: number;
}

interface Scope {
  key: string;
  budget: OverBudget['budget'];
  limit: number;
  where: SQL | undefined;
  /** Which calls of attacks on judges it covers; absent = none. */
  attacks?: SQL | undefined;
}

/**
 * What runs may spend. What is committed is drawn from the ledger when it is first asked for, and followed from there: one
 * process owns the database, so nothing else moves it. Call inside the transaction that writes the row in question.
 */
export class Budgets {
  readonly #db: OpenDatabase;
  readonly #dayLimit: number | null;
  readonly #runLimits = new Map<string, number | null>();
  readonly #committed = new Map<string, number>();
  /** Reservations of attempts that this process has in flight, by call. */
  readonly #holds = new Map<number, Hold>();
  readonly #inFlight = new Map<string, number>();

  constructor(db: OpenDatabase, dayLimit: number | null) {
    this.#db = db;
    this.#dayLimit = dayLimit;
  }

  /** Why a call may not be sent, or null. @param usd the most that it can cost; null where its price is not known. */
  refuse(run: string, at: string, usd: number | null): Exclude<Intent, { id: number }> | null {
    for (const scope of this.#scopes(run, at)) {
      if (usd === null) return { unpriced: scope.budget };
      const committed = this.#committedOf(scope);
      if (committed + usd <= scope.limit) continue;
      const inFlight = this.#inFlight.get(scope.key) ?? 0;
      return {
        over: {
          budget: scope.budget,
          limit_usd: scope.limit,
          committed_usd: committed,
          in_flight: inFlight,
        },
      };
    }
    return null;
  }

  /** Reserves for a call whose intent was written. */
  hold(call: number, run: string, at: string, usd: number): void {
    const scopes = this.#scopes(run, at);
    if (scopes.length === 0) return;
    this.#holds.set(call, { scopes, usd });
    for (const scope of scopes) {
      this.#committed.set(scope.key, this.#committedOf(scope) + usd);
      this.#inFlight.set(scope.key, (this.#inFlight.get(scope.key) ?? 0) + 1);
    }
  }

  /** Puts what a call cost in the place of what was reserved. @param usd null = not known: the reservation stays. */
  settle(call: number, usd: number | null): void {
    const hold = this.#holds.get(call);
    if (hold === undefined) return;
    for (const scope of hold.scopes)
      this.#committed.set(scope.key, this.#committedOf(scope) + (usd ?? hold.usd) - hold.usd);
    this.#release(call, hold);
  }

  /** Forgets what was followed, after a transaction that did not commit; the ledger knows. */
  reset(call: number | null): void {
    const hold = call === null ? undefined : this.#holds.get(call);
    if (call !== null && hold !== undefined) this.#release(call, hold);
    this.#committed.clear();
  }

  /** A run has begun or goes on, perhaps with another budget. */
  open(run: string, limit: number | null): void {
    this.#runLimits.set(run, limit);
  }

  close(run: string): void {
    this.#runLimits.delete(run);
    this.#committed.delete(`run ${run}`);
  }

  #release(call: number, { scopes }: Hold): void {
    this.#holds.delete(call);
    for (const { key } of scopes) this.#inFlight.set(key, (this.#inFlight.get(key) ?? 1) - 1);
  }

  #scopes(run: string, at: string): Scope[] {
    const scopes: Scope[] = [];
    const limit = this.#runLimits.get(run) ?? null;
    if (limit !== null) scopes.push({ key: `run ${run}`, budget: 'run', limit, where: eq(calls.run, run) });
    if (this.#dayLimit !== null) {
      const day = at.slice(0, 10);
      const next = new Date(Date.parse(day) + 24 * 3600 * 1000).toISOString().slice(0, 10);
      scopes.push({
        key: `day ${day}`,
        budget: 'day',
        limit: this.#dayLimit,
        where: and(gte(calls.at, day), lt(calls.at, next)),
        attacks: and(gte(attackCalls.at, day), lt(attackCalls.at, next)),
      });
    }
    return scopes;
  }

  #committedOf(scope: Scope): number {
    const known = this.#committed.get(scope.key);
    if (known !== undefined) return known;
    const usd = this.#db.orm
      .select({
        usd: sql<number>`coalesce(sum(coalesce(${replies.costUsd}, ${calls.holdUsd}, 0)), 0)`,
      })
      .from(calls)
      .leftJoin(replies, eq(replies.call, calls.id))
      .where(scope.where)
      .get()?.usd;
    const sum = (usd ?? 0) + (scope.attacks === undefined ? 0 : this.#attacksOf(scope.attacks));
    this.#committed.set(scope.key, sum);
    return sum;
  }

  #attacksOf(where: SQL): number {
    return (
      this.#db.orm
        .select({
          usd: sql<number>`coalesce(sum(coalesce(${attackReplies.costUsd}, ${attackCalls.holdUsd}, 0)), 0)`,
        })
        .from(attackCalls)
        .leftJoin(attackReplies, eq(attackReplies.call, attackCalls.id))
        .where(where)
        .get()?.usd ?? 0
    );
  }
}
