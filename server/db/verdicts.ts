import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm';
import { Quote } from '../../core/evidence.ts';
import { Outcome, type Verdict } from '../../core/verdict.ts';
import type { JudgeMark } from '../../harness/judge/ledger.ts';
import type { OpenDatabase } from './open.ts';
import { rowHash } from './row-hash.ts';
import { calls, datasets, judges, samples, verdicts } from './schema.ts';

export interface JudgeRow {
  id: number;
  name: string;
  hash: string;
  simulated: boolean;
}

export interface StandingVerdict {
  /** The sample's row. */
  seq: number;
  order: 'ab' | 'ba' | null;
  repeat: number;
  result: Outcome;
  served_model: string | null;
  fingerprint: string | null;
}

/** A verdict with where it stands and what call brought it. */
export interface FoundVerdict extends StandingVerdict {
  id: number;
  /** What stands for the same sample, criterion, order and repeat: itself, or a later one. */
  stands: number;
  sample: string;
  dataset: string;
  judge: JudgeRow;
  criterion: string;
  at: string;
  /** Null = it came with a file, or from a panel. */
  call: { key: string; run: string; criteria: string[] } | null;
}

/** Judges' verdicts: appended; what stands is the last one for a sample, criterion, order and repeat. */
export class VerdictStore {
  readonly #db: OpenDatabase;
  readonly #insert;
  readonly #stands;
  readonly #judges = new Map<string, JudgeRow>();

  constructor(db: OpenDatabase) {
    this.#db = db;
    const value = sql.placeholder;
    this.#insert = db.orm
      .insert(verdicts)
      .values({
        call: value('call'),
        judge: value('judge'),
        sample: value('sample'),
        criterion: value('criterion'),
        rubricHash: value('rubricHash'),
        pairOrder: value('pairOrder'),
        repeat: value('repeat'),
        outcome: value('outcome'),
        value: value('value'),
        reason: value('reason'),
        quotes: value('quotes'),
        servedModel: value('servedModel'),
        fingerprint: value('fingerprint'),
        at: value('at'),
        hash: value('hash'),
      })
      .prepare();
    this.#stands = db.orm
      .select({ outcome: verdicts.outcome, value: verdicts.value, call: verdicts.call })
      .from(verdicts)
      .where(
        and(
          eq(verdicts.judge, value('judge')),
          eq(verdicts.criterion, value('criterion')),
          eq(verdicts.sample, value('sample')),
          eq(verdicts.repeat, value('repeat')),
          sql`${verdicts.pairOrder} IS ${value('order')}`,
        ),
      )
      .orderBy(desc(verdicts.seq))
      .limit(1)
      .prepare();
  }

  /** The row of a judge by name and hash, made where it is missing. */
  judge(name: string, hash: string, simulated: boolean): JudgeRow {
    const known = this.#judges.get(`${hash} ${name}`);
    if (known !== undefined) return known;
    this.#db.orm
      .insert(judges)
      .values({ name, hash, simulated: simulated ? 1 : 0 })
      .onConflictDoNothing()
      .run();
    const judge = this.known(name, hash);
    if (judge === null) throw new Error(`judge ${name} was neither stored nor found`);
    this.#judges.set(`${hash} ${name}`, judge);
    return judge;
  }

  /** The row of a judge by name and hash; null where it never gave a verdict here. */
  known(name: string, hash: string): JudgeRow | null {
    const row = this.#db.orm
      .select()
      .from(judges)
      .where(and(eq(judges.name, name), eq(judges.hash, hash)))
      .get();
    return row === undefined ? null : { ...row, simulated: row.simulated === 1 };
  }

  /** Are a judge's verdicts simulated? What is stored of it decides; where nothing is, what the run says. */
  isSimulated({ judge, judge_hash, simulated }: JudgeMark): boolean {
    return this.known(judge, judge_hash)?.simulated ?? simulated;
  }

  /**
   * Lets what another judge version said in the very same call stand for this judge and sample; call inside a transaction.
   * @param by the call that it was said in.
   */
  adopt(
    judge: number,
    sample: number,
    { criteria, order, repeat }: { criteria: readonly string[]; order: 'ab' | 'ba' | null; repeat: number },
    by: number,
    rubricHash: string,
  ): void {
    for (const criterion of criteria) {
      if (this.#stands.get({ judge, sample, criterion, repeat, order })?.call === by) continue;
      const said = this.#db.orm
        .select()
        .from(verdicts)
        .where(and(eq(verdicts.call, by), eq(verdicts.criterion, criterion)))
        .limit(1)
        .get();
      if (said === undefined) throw new Error(`call ${by} is answered and has no verdict on ${criterion}`);
      const { seq: _, hash: __, ...row } = { ...said, judge, sample, rubricHash };
      this.#insert.run({ ...row, hash: rowHash(Object.values(row)) });
    }
  }

  /** Is this very verdict what stands for its sample, criterion, order and repeat? */
  stands(
    judge: number,
    sample: number,
    verdict: Pick<Verdict, 'criterion' | 'order' | 'repeat' | 'result'>,
  ): boolean {
    const row = this.#stands.get({
      judge,
      sample,
      criterion: verdict.criterion,
      repeat: verdict.repeat,
      order: verdict.order,
    });
    const { result } = verdict;
    return (
      row?.outcome === result.outcome && row.value === (result.outcome === 'scored' ? result.value : null)
    );
  }

  /** Judges by name that have verdicts in a dataset, the hash last used first. */
  judgesOf(dataset: number): (JudgeRow & { verdicts: number; criteria: string[] })[] {
    return this.#db.orm
      .select({
        id: judges.id,
        name: judges.name,
        hash: judges.hash,
        simulated: judges.simulated,
        verdicts: sql<number>`count(*)`,
        criteria: sql<string>`group_concat(DISTINCT ${verdicts.criterion})`,
      })
      .from(verdicts)
      .innerJoin(judges, eq(judges.id, verdicts.judge))
      .innerJoin(samples, eq(samples.seq, verdicts.sample))
      .where(eq(samples.dataset, dataset))
      .groupBy(judges.id)
      .orderBy(asc(judges.name), sql`${judges.id} DESC`)
      .all()
      .map((row) => ({ ...row, simulated: row.simulated === 1, criteria: row.criteria.split(',') }));
  }

  /** Appends a verdict; call inside a transaction. `call` null = it came with a file, or from a panel. */
  append(
    judge: number,
    sample: number,
    verdict: Omit<Verdict, 'judge' | 'judge_hash' | 'sample'>,
    call: number | null,
  ): void {
    const { result } = verdict;
    const row = {
      call,
      judge,
      sample,
      criterion: verdict.criterion,
      rubricHash: verdict.rubric_hash,
      pairOrder: verdict.order,
      repeat: verdict.repeat,
      outcome: result.outcome,
      value: result.outcome === 'scored' ? result.value : null,
      reason: result.reason,
      quotes: JSON.stringify(result.quotes),
      servedModel: verdict.served_model,
      fingerprint: verdict.fingerprint,
      at: verdict.at,
    };
    this.#insert.run({ ...row, hash: rowHash(Object.values(row)) });
  }

  /** Every judge's standing verdicts on one sample. */
  ofSample(sample: number) {
    const latest = this.#db.orm
      .select({ seq: sql<number>`max(${verdicts.seq})`.as('seq') })
      .from(verdicts)
      .where(eq(verdicts.sample, sample))
      .groupBy(verdicts.judge, verdicts.criterion, verdicts.pairOrder, verdicts.repeat);
    return this.#db.orm
      .select({ verdict: verdicts, judge: judges.name, simulated: judges.simulated })
      .from(verdicts)
      .innerJoin(judges, eq(judges.id, verdicts.judge))
      .where(inArray(verdicts.seq, latest))
      .orderBy(asc(judges.name), asc(verdicts.criterion))
      .all()
      .map(({ verdict, judge, simulated }) => ({
        id: verdict.seq,
        judge,
        simulated: simulated === 1,
        criterion: verdict.criterion,
        order: verdict.pairOrder,
        repeat: verdict.repeat,
        outcome: verdict.outcome,
        value: verdict.value,
        reason: verdict.reason,
        quotes: Quote.array().parse(JSON.parse(verdict.quotes)),
        served_model: verdict.servedModel,
      }));
  }

  /** One verdict by its number, be it what stands or not; null where there is none. */
  get(id: number): FoundVerdict | null {
    const row = this.#db.orm
      .select({ verdict: verdicts, judge: judges, call: calls, sample: samples.id, dataset: datasets.name })
      .from(verdicts)
      .innerJoin(judges, eq(judges.id, verdicts.judge))
      .innerJoin(samples, eq(samples.seq, verdicts.sample))
      .innerJoin(datasets, eq(datasets.id, samples.dataset))
      .leftJoin(calls, eq(calls.id, verdicts.call))
      .where(eq(verdicts.seq, id))
      .get();
    if (row === undefined) return null;
    const { verdict, judge, call, sample, dataset } = row;
    return {
      ...toStanding(verdict),
      id,
      stands: this.#latest(verdict),
      sample,
      dataset,
      judge: { ...judge, simulated: judge.simulated === 1 },
      criterion: verdict.criterion,
      at: verdict.at,
      call: call === null ? null : { key: call.key, run: call.run, criteria: call.criteria.split(',') },
    };
  }

  #latest({ seq, judge, sample, criterion, pairOrder, repeat }: typeof verdicts.$inferSelect): number {
    const latest = this.#db.orm
      .select({ seq: sql<number>`max(${verdicts.seq})` })
      .from(verdicts)
      .where(
        and(
          eq(verdicts.judge, judge),
          eq(verdicts.criterion, criterion),
          eq(verdicts.sample, sample),
          eq(verdicts.repeat, repeat),
          sql`${verdicts.pairOrder} IS ${pairOrder}`,
        ),
      )
      .get();
    return latest?.seq ?? seq;
  }

  /** What was said under each of these calls' keys, the latest last. */
  ofCalls(
    keys: readonly string[],
    simulated: boolean,
  ): { key: string; criterion: string; result: Outcome }[] {
    return this.#db.orm
      .select({ key: calls.key, verdict: verdicts })
      .from(verdicts)
      .innerJoin(calls, eq(calls.id, verdicts.call))
      .innerJoin(judges, eq(judges.id, verdicts.judge))
      .where(and(inArray(calls.key, [...keys]), eq(judges.simulated, simulated ? 1 : 0)))
      .orderBy(asc(verdicts.seq))
      .all()
      .map(({ key, verdict }) => ({
        key,
        criterion: verdict.criterion,
        result: toStanding(verdict).result,
      }));
  }

  /** What stands of one judge on one criterion in a dataset. */
  standing(dataset: number, judge: number, criterion: string): StandingVerdict[] {
    const latest = this.#db.orm
      .select({ seq: sql<number>`max(${verdicts.seq})`.as('seq') })
      .from(verdicts)
      .innerJoin(samples, eq(samples.seq, verdicts.sample))
      .where(and(eq(samples.dataset, dataset), eq(verdicts.judge, judge), eq(verdicts.criterion, criterion)))
      .groupBy(verdicts.sample, verdicts.pairOrder, verdicts.repeat);
    return this.#db.orm
      .select()
      .from(verdicts)
      .where(inArray(verdicts.seq, latest))
      .orderBy(asc(verdicts.sample))
      .all()
      .map(toStanding);
  }
}

function toStanding(row: typeof verdicts.$inferSelect): StandingVerdict {
  return {
    seq: row.sample,
    order: row.pairOrder,
    repeat: row.repeat,
    result: Outcome.parse({
      outcome: row.outcome,
      ...(row.value !== null && { value: row.value }),
      reason: row.reason,
      quotes: JSON.parse(row.quotes),
    }),
    served_model: row.servedModel,
    fingerprint: row.fingerprint,
  };
}
