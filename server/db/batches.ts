import { and, asc, count, desc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import type { BatchEnd, BatchedCall, BatchLedger, OpenBatch } from '../../harness/batch/batch-ledger.ts';
import type { GroupCommit } from './group-commit.ts';
import type { OpenDatabase } from './open.ts';
import { batches, calls, datasets, judges, replies, runs, samples, strays } from './schema.ts';

export interface BatchRow {
  id: number;
  run: string;
  judge: string;
  dataset: string;
  limit: number | null;
  marker: string;
  remote: string | null;
  state: OpenBatch['state'] | BatchEnd;
  why: string;
  at: string;
  ended_at: string | null;
  requests: number;
  settled: number;
  strays: number;
}

const OPEN: readonly OpenBatch['state'][] = ['filling', 'sending', 'sent'];

/** Batches at providers, and which calls went out with them. */
export class BatchStore implements BatchLedger {
  readonly #db: OpenDatabase;
  readonly #commit: GroupCommit;

  constructor(db: OpenDatabase, commit: GroupCommit) {
    this.#db = db;
    this.#commit = commit;
  }

  begin(run: string, marker: string, at: string): Promise<number> {
    return this.#commit.run(() => {
      const row = { run, marker, at, remote: null, state: 'filling' as const, why: '', endedAt: null };
      return Number(this.#db.orm.insert(batches).values(row).run().lastInsertRowid);
    });
  }

  sending(batch: number, at: string): Promise<void> {
    return this.#commit.run(() => {
      this.#db.orm.update(batches).set({ state: 'sending', at }).where(eq(batches.id, batch)).run();
    });
  }

  sent(batch: number, remote: string): Promise<void> {
    return this.#commit.run(() => {
      this.#db.orm.update(batches).set({ state: 'sent', remote }).where(eq(batches.id, batch)).run();
    });
  }

  end(batch: number, how: BatchEnd, why: string, at: string): Promise<void> {
    return this.#commit.run(() => {
      this.#db.orm.update(batches).set({ state: how, why, endedAt: at }).where(eq(batches.id, batch)).run();
    });
  }

  open(run: string): OpenBatch[] {
    const rows = this.#db.orm
      .select({
        id: batches.id,
        run: batches.run,
        marker: batches.marker,
        remote: batches.remote,
        state: batches.state,
        at: batches.at,
        requests: count(calls.id),
      })
      .from(batches)
      .leftJoin(calls, eq(calls.batch, batches.id))
      .where(and(eq(batches.run, run), inArray(batches.state, [...OPEN])))
      .groupBy(batches.id)
      .orderBy(asc(batches.id))
      .all();
    return rows.flatMap(({ state, ...row }) => {
      const open = OPEN.find((one) => one === state);
      return open === undefined ? [] : [{ ...row, state: open }];
    });
  }

  /** The run of a judge over a dataset that has batches which have not ended. */
  left(judge: {
    judge: string;
    judge_hash: string;
    dataset: string;
  }): { run: string; limit: number | null } | null {
    const row = this.#db.orm
      .select({ run: runs.id, limit: runs.sampleLimit })
      .from(batches)
      .innerJoin(runs, eq(runs.id, batches.run))
      .innerJoin(judges, eq(judges.id, runs.judge))
      .innerJoin(datasets, eq(datasets.id, runs.dataset))
      .where(
        and(
          inArray(batches.state, [...OPEN]),
          eq(judges.name, judge.judge),
          eq(judges.hash, judge.judge_hash),
          eq(datasets.name, judge.dataset),
        ),
      )
      .limit(1)
      .get();
    return row ?? null;
  }

  knows(remote: string): boolean {
    return this.#db.orm.select().from(batches).where(eq(batches.remote, remote)).get() !== undefined;
  }

  find(batch: number, key: string): BatchedCall | null {
    return (
      this.#calls()
        .where(and(eq(calls.batch, batch), eq(calls.key, key)))
        .get() ?? null
    );
  }

  onLine(batch: number, line: number): BatchedCall | null {
    const found = this.#calls()
      .where(eq(calls.batch, batch))
      .orderBy(asc(calls.id))
      .limit(1)
      .offset(line - 1)
      .get();
    return found ?? null;
  }

  waiting(batch: number): BatchedCall[] {
    return this.#calls()
      .where(and(eq(calls.batch, batch), isNull(replies.call)))
      .orderBy(asc(calls.id))
      .all();
  }

  putAside(batch: number, text: string): Promise<void> {
    return this.#commit.run(() => {
      this.#db.orm
        .insert(strays)
        .values({ batch, text: text.slice(0, 65_536) })
        .run();
    });
  }

  /** Batches, latest first. */
  list(): BatchRow[] {
    return this.#db.orm
      .select({
        id: batches.id,
        run: batches.run,
        judge: judges.name,
        dataset: datasets.name,
        limit: runs.sampleLimit,
        marker: batches.marker,
        remote: batches.remote,
        state: batches.state,
        why: batches.why,
        at: batches.at,
        ended_at: batches.endedAt,
        requests: sql<number>`(SELECT count(*) FROM calls WHERE calls.batch = batches.id)`,
        settled: sql<number>`(SELECT count(*) FROM calls JOIN replies ON replies.call = calls.id WHERE calls.batch = batches.id)`,
        strays: sql<number>`(SELECT count(*) FROM strays WHERE strays.batch = batches.id)`,
      })
      .from(batches)
      .innerJoin(runs, eq(runs.id, batches.run))
      .innerJoin(judges, eq(judges.id, runs.judge))
      .innerJoin(datasets, eq(datasets.id, runs.dataset))
      .orderBy(desc(batches.id))
      .all();
  }

  #calls() {
    return this.#db.orm
      .select({
        attempt: calls.id,
        key: calls.key,
        sample: samples.id,
        settled: sql<boolean>`${isNotNull(replies.call)}`.mapWith(Boolean),
      })
      .from(calls)
      .innerJoin(samples, eq(samples.seq, calls.sample))
      .leftJoin(replies, eq(replies.call, calls.id))
      .$dynamic();
  }
}
