import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm';
import type { RunReport, RunState } from '../../core/run.ts';
import type { CallReceipt, Outcome, Verdict } from '../../core/verdict.ts';
import type { ReadableLedger } from '../../harness/attack/run.ts';
import { ENOUGH_ANSWERS, type Experience } from '../../harness/judge/estimate.ts';
import type { Attempt, Intent, JudgeMark, PlannedCall, RunStart } from '../../harness/judge/ledger.ts';
import type { StoredReply } from '../../harness/judge/record.ts';
import type { Budgets } from './budgets.ts';
import type { GroupCommit } from './group-commit.ts';
import { inChunks } from './in-chunks.ts';
import { LOST } from './lost.ts';
import type { OpenDatabase } from './open.ts';
import { receiptColumns } from './receipt-columns.ts';
import { rowHash } from './row-hash.ts';
import { reportRun } from './run-report.ts';
import { calls, datasets, judges, replies, runs, samples } from './schema.ts';
import { Settling } from './settling.ts';
import type { VerdictStore } from './verdicts.ts';
import { WAS_SENT } from './was-sent.ts';

export interface RunRow {
  id: string;
  judge: string;
  judge_hash: string;
  dataset: string;
  planned: number;
  concurrency: number;
  limit: number | null;
  budget_usd: number | null;
  simulated: boolean;
  state: RunState;
  why: string;
  started_at: string;
  ended_at: string | null;
  sent: number;
  answered: number;
  cost_usd: number | null;
}

/** Runs of judges and the ledger of their calls. */
export class RunStore implements ReadableLedger {
  readonly #db: OpenDatabase;
  readonly #commit: GroupCommit;
  readonly #verdicts: VerdictStore;
  readonly #budgets: Budgets;
  readonly #settling: Settling;
  readonly #intend;
  readonly #reply;
  readonly #call;
  readonly #sample;
  /** Row numbers of the samples and judges that the open runs write about. */
  readonly #rows = new Map<string, { dataset: number; judge: number }>();
  readonly #seqs = new Map<string, number>();

  constructor(db: OpenDatabase, commit: GroupCommit, verdicts: VerdictStore, budgets: Budgets) {
    this.#db = db;
    this.#commit = commit;
    this.#verdicts = verdicts;
    this.#budgets = budgets;
    this.#settling = new Settling(commit, budgets);
    const value = sql.placeholder;
    this.#intend = db.orm
      .insert(calls)
      .values({
        run: value('run'),
        key: value('key'),
        sample: value('sample'),
        criteria: value('criteria'),
        pairOrder: value('pairOrder'),
        repeat: value('repeat'),
        at: value('at'),
        turn: value('turn'),
        maxOutputTokens: value('maxOutputTokens'),
        holdUsd: value('holdUsd'),
        batch: value('batch'),
      })
      .prepare();
    this.#reply = db.orm
      .insert(replies)
      .values({
        call: value('call'),
        final: value('final'),
        usage: value('usage'),
        costUsd: value('costUsd'),
        servedModel: value('servedModel'),
        fingerprint: value('fingerprint'),
        requestId: value('requestId'),
        ms: value('ms'),
        raw: value('raw'),
        hash: value('hash'),
        lost: value('lost'),
      })
      .prepare();
    this.#call = db.orm
      .select({ run: calls.run, sample: calls.sample })
      .from(calls)
      .where(eq(calls.id, value('id')))
      .prepare();
    this.#sample = db.orm
      .select({ seq: samples.seq })
      .from(samples)
      .where(and(eq(samples.dataset, value('dataset')), eq(samples.id, value('id'))))
      .prepare();
  }

  startRun(run: RunStart): Promise<void> {
    return this.#commit.run(() => {
      const judge = this.#verdicts.judge(run.judge, run.judge_hash, run.simulated);
      const dataset = this.#db.orm
        .select({ id: datasets.id })
        .from(datasets)
        .where(eq(datasets.name, run.dataset))
        .get();
      if (dataset === undefined)
        throw new Error(`run ${run.id} names the dataset ${run.dataset}, which does not exist`);
      const now = {
        planned: run.planned,
        concurrency: run.concurrency,
        budgetUsd: run.budget_usd,
        state: 'running' as const,
        why: '',
        endedAt: null,
      };
      this.#db.orm
        .insert(runs)
        .values({
          ...now,
          id: run.id,
          judge: judge.id,
          dataset: dataset.id,
          sampleLimit: run.limit,
          startedAt: run.at,
        })
        .onConflictDoUpdate({ target: runs.id, set: now })
        .run();
      this.#budgets.open(run.id, run.budget_usd);
      this.#rows.set(run.id, { dataset: dataset.id, judge: judge.id });
    });
  }

  endRun(id: string, state: Exclude<RunState, 'running'>, why: string, at: string): Promise<void> {
    return this.#commit.run(() => {
      this.#db.orm.update(runs).set({ state, why, endedAt: at }).where(eq(runs.id, id)).run();
      this.#rows.delete(id);
      this.#budgets.close(id);
      if (this.#rows.size === 0) this.#seqs.clear();
    });
  }

  /** The last run of this judge over these samples, where it ended early or has calls without an answer. */
  unfinished(scope: Pick<RunRow, 'judge' | 'judge_hash' | 'dataset' | 'limit'>): RunRow | null {
    const row = this.#select()
      .where(
        and(
          eq(judges.name, scope.judge),
          eq(judges.hash, scope.judge_hash),
          eq(datasets.name, scope.dataset),
          sql`${runs.sampleLimit} IS ${scope.limit}`,
        ),
      )
      .orderBy(desc(runs.startedAt))
      .limit(1)
      .get();
    if (row === undefined || row.state === 'running') return null;
    return row.state === 'done' && !this.#hasUnanswered(row.id) ? null : toRun(row);
  }

  #hasUnanswered(run: string): boolean {
    const row = this.#db.orm
      .select({ one: sql`1` })
      .from(calls)
      .where(
        and(
          eq(calls.run, run),
          sql`NOT EXISTS (SELECT 1 FROM calls d JOIN replies f ON f.call = d.id AND f.final = 1 WHERE d.key = ${calls.key})`,
        ),
      )
      .limit(1)
      .get();
    return row !== undefined;
  }

  /** A process that died left its runs `running`: at the start of the next owner they are stopped, to be resumed. */
  closeOrphans(at: string): number {
    const done = this.#db.orm
      .update(runs)
      .set({
        state: 'stopped',
        why: 'the process ended before the run did; run the judge again to go on',
        endedAt: at,
      })
      .where(eq(runs.state, 'running'))
      .run();
    return done.changes;
  }

  answered(keys: readonly string[], mark: JudgeMark): Map<string, number> {
    const simulated = this.#verdicts.isSimulated(mark);
    const rows = inChunks(keys, (chunk) =>
      this.#db.orm
        .select({ key: calls.key, by: calls.id })
        .from(calls)
        .innerJoin(replies, and(eq(replies.call, calls.id), eq(replies.final, 1)))
        .innerJoin(runs, eq(runs.id, calls.run))
        .innerJoin(judges, eq(judges.id, runs.judge))
        .where(and(inArray(calls.key, chunk), eq(judges.simulated, simulated ? 1 : 0)))
        .orderBy(asc(calls.id))
        .all(),
    );
    return new Map(rows.map(({ key, by }) => [key, by]));
  }

  unheard(keys: readonly string[]): Set<string> {
    const rows = inChunks(keys, (chunk) =>
      this.#db.orm
        .selectDistinct({ key: calls.key })
        .from(calls)
        .leftJoin(replies, eq(replies.call, calls.id))
        .where(and(inArray(calls.key, chunk), or(isNull(replies.call), eq(replies.lost, 1))))
        .all(),
    );
    return new Set(rows.map(({ key }) => key));
  }

  outcomes(keys: readonly string[], mark: JudgeMark): Map<string, Record<string, Outcome>> {
    const found = new Map<string, Record<string, Outcome>>();
    const rows = inChunks(keys, (chunk) => this.#verdicts.ofCalls(chunk, this.#verdicts.isSimulated(mark)));
    for (const { key, criterion, result } of rows) found.set(key, { ...found.get(key), [criterion]: result });
    return found;
  }

  /** Every reply of these calls, by key, in the order in which they were sent. */
  replies(keys: readonly string[]): Map<string, StoredReply[]> {
    const rows = inChunks(keys, (chunk) =>
      this.#db.orm
        .select({
          key: calls.key,
          run: calls.run,
          final: replies.final,
          raw: replies.raw,
          turn: calls.turn,
          max_output_tokens: calls.maxOutputTokens,
        })
        .from(calls)
        .innerJoin(replies, eq(replies.call, calls.id))
        .where(inArray(calls.key, chunk))
        .orderBy(asc(calls.id))
        .all(),
    );
    const found = new Map<string, StoredReply[]>();
    for (const { key, final, ...reply } of rows)
      found.set(key, [...(found.get(key) ?? []), { ...reply, final: final === 1 }]);
    return found;
  }

  adopt(
    run: string,
    answers: readonly { call: PlannedCall; by: number }[],
    rubricHash: string,
  ): Promise<void> {
    return this.#commit.run(() => {
      const { judge } = this.#open(run);
      for (const { call, by } of answers)
        this.#verdicts.adopt(judge, this.#seqOf(run, call.sample), call, by, rubricHash);
    });
  }

  giveUp(run: string, call: PlannedCall, verdicts: readonly Verdict[], at: string): Promise<void> {
    return this.#commit.run(() => {
      const { judge } = this.#open(run);
      const unheard = this.#db.orm
        .select({ id: calls.id })
        .from(calls)
        .leftJoin(replies, eq(replies.call, calls.id))
        .where(and(eq(calls.key, call.key), isNull(replies.call)))
        .orderBy(asc(calls.id))
        .all();
      for (const { id } of unheard) this.#write(id, LOST, false);
      const last = unheard.at(-1);
      if (last === undefined) return;
      for (const verdict of verdicts)
        this.#verdicts.append(judge, this.#seqOf(run, call.sample), { ...verdict, at }, last.id);
    });
  }

  intend(run: string, call: PlannedCall, attempt: Attempt, at: string): Promise<Intent> {
    let id: number | null = null;
    const write = (): Intent => {
      const refusal = this.#budgets.refuse(run, at, attempt.ceiling_usd);
      if (refusal !== null) return refusal;
      const done = this.#intend.run({
        run,
        key: call.key,
        sample: this.#seqOf(run, call.sample),
        criteria: call.criteria.join(','),
        pairOrder: call.order,
        repeat: call.repeat,
        at,
        turn: attempt.turn,
        maxOutputTokens: attempt.max_output_tokens,
        holdUsd: attempt.ceiling_usd,
        batch: attempt.batch ?? null,
      });
      id = Number(done.lastInsertRowid);
      this.#budgets.hold(id, run, at, attempt.ceiling_usd ?? 0);
      return { id };
    };
    return this.#commit.run(write).catch((error: unknown) => {
      this.#budgets.reset(id);
      throw error;
    });
  }

  settled(): Promise<void> {
    return this.#settling.next();
  }

  record(intent: number, receipt: CallReceipt, verdicts: readonly Verdict[], final: boolean): Promise<void> {
    return this.#settling.record(intent, receipt.cost_usd, () => {
      this.#write(intent, receipt, final);
      const call = this.#call.get({ id: intent });
      const rows = call === undefined ? undefined : this.#rows.get(call.run);
      if (call === undefined || rows === undefined) throw new Error(`call ${intent} belongs to no open run`);
      for (const verdict of verdicts) this.#verdicts.append(rows.judge, call.sample, verdict, intent);
    });
  }

  #write(call: number, receipt: CallReceipt, final: boolean): void {
    const row = {
      call,
      final: final ? 1 : 0,
      ...receiptColumns(receipt),
    };
    this.#reply.run({ ...row, hash: rowHash(Object.values(row)) });
  }

  #open(run: string): { dataset: number; judge: number } {
    const rows = this.#rows.get(run);
    if (rows === undefined) throw new Error(`run ${run} is not open`);
    return rows;
  }

  #seqOf(run: string, sample: string): number {
    const rows = this.#open(run);
    const key = `${rows.dataset} ${sample}`;
    const known = this.#seqs.get(key);
    if (known !== undefined) return known;
    const row = this.#sample.get({ dataset: rows.dataset, id: sample });
    if (row === undefined)
      throw new Error(`run ${run} asks about sample ${sample}, which is not in its dataset`);
    this.#seqs.set(key, row.seq);
    return row.seq;
  }

  /** Runs, latest first, with counts drawn from the ledger itself. */
  list(limit = 50): RunRow[] {
    return this.#select().orderBy(desc(runs.startedAt)).limit(limit).all().map(toRun);
  }

  get(id: string): RunRow | null {
    const row = this.#select().where(eq(runs.id, id)).get();
    return row === undefined ? null : toRun(row);
  }

  /** What a run comes to, counted from the ledger; null where there is no such run. */
  report(id: string): RunReport | null {
    return reportRun(this.#db, id);
  }

  /** What the answers of a judge version took on average; null where they are too few to tell. */
  experience(judge: string, hash: string): Experience | null {
    const row = this.#db.orm
      .select({
        answers: sql<number>`count(*)`,
        ms: sql<number>`avg(${replies.ms})`,
        output_tokens: sql<number>`avg(json_extract(${replies.usage}, '$.output'))`,
      })
      .from(replies)
      .innerJoin(calls, eq(calls.id, replies.call))
      .innerJoin(runs, eq(runs.id, calls.run))
      .innerJoin(judges, eq(judges.id, runs.judge))
      .where(and(eq(judges.name, judge), eq(judges.hash, hash), isNotNull(replies.usage), gt(replies.ms, 0)))
      .get();
    return row === undefined || row.answers < ENOUGH_ANSWERS ? null : row;
  }

  #select() {
    return this.#db.orm
      .select({
        id: runs.id,
        judge: judges.name,
        judge_hash: judges.hash,
        dataset: datasets.name,
        planned: runs.planned,
        concurrency: runs.concurrency,
        limit: runs.sampleLimit,
        budget_usd: runs.budgetUsd,
        simulated: judges.simulated,
        state: runs.state,
        why: runs.why,
        started_at: runs.startedAt,
        ended_at: runs.endedAt,
        sent: sql<number>`(SELECT count(*) FROM calls c LEFT JOIN replies r ON r.call = c.id WHERE c.run = runs.id AND ${WAS_SENT})`,
        answered: sql<number>`(SELECT count(*) FROM calls JOIN replies ON replies.call = calls.id WHERE calls.run = runs.id AND replies.final = 1)`,
        cost_usd: sql<
          number | null
        >`(SELECT sum(replies.cost_usd) FROM calls JOIN replies ON replies.call = calls.id WHERE calls.run = runs.id)`,
      })
      .from(runs)
      .innerJoin(judges, eq(judges.id, runs.judge))
      .innerJoin(datasets, eq(datasets.id, runs.dataset));
  }
}

function toRun(row: Omit<RunRow, 'simulated'> & { simulated: number }): RunRow {
  return { ...row, simulated: row.simulated === 1 };
}
