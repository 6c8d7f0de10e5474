import { and, asc, desc, eq, inArray, isNull, or } from 'drizzle-orm';
import { z } from 'zod';
import { AttackReport } from '../../core/attack.ts';
import { type CallReceipt, Outcome, type Verdict } from '../../core/verdict.ts';
import type { ReadableLedger } from '../../harness/attack/run.ts';
import type { Attempt, Intent, JudgeMark, PlannedCall, RunStart } from '../../harness/judge/ledger.ts';
import type { Budgets } from './budgets.ts';
import type { GroupCommit } from './group-commit.ts';
import { inChunks } from './in-chunks.ts';
import { LOST } from './lost.ts';
import type { OpenDatabase } from './open.ts';
import { receiptColumns } from './receipt-columns.ts';
import { rowHash } from './row-hash.ts';
import { attackCalls, attackReplies, attackReports, datasets, judges } from './schema.ts';
import { Settling } from './settling.ts';
import type { VerdictStore } from './verdicts.ts';

const Outcomes = z.record(z.string(), Outcome);

/** The ledger of attacks on judges and what they came to. None of it is a verdict on a sample of the dataset. */
export class AttackStore implements ReadableLedger {
  readonly #db: OpenDatabase;
  readonly #commit: GroupCommit;
  readonly #verdicts: VerdictStore;
  readonly #budgets: Budgets;
  readonly #settling: Settling;
  readonly #open = new Map<string, { judge: number; dataset: number }>();

  constructor(db: OpenDatabase, commit: GroupCommit, verdicts: VerdictStore, budgets: Budgets) {
    this.#db = db;
    this.#commit = commit;
    this.#verdicts = verdicts;
    this.#budgets = budgets;
    this.#settling = new Settling(commit, budgets);
  }

  startRun(run: RunStart): Promise<void> {
    return this.#commit.run(() => {
      const judge = this.#verdicts.judge(run.judge, run.judge_hash, run.simulated);
      const dataset = this.#db.orm
        .select({ id: datasets.id })
        .from(datasets)
        .where(eq(datasets.name, run.dataset))
        .get();
      if (dataset === undefined) throw new Error(`the dataset ${run.dataset} does not exist`);
      this.#budgets.open(run.id, run.budget_usd);
      this.#open.set(run.id, { judge: judge.id, dataset: dataset.id });
    });
  }

  async endRun(id: string): Promise<void> {
    this.#open.delete(id);
    this.#budgets.close(id);
  }

  answered(keys: readonly string[], mark: JudgeMark): Map<string, number> {
    return new Map(
      this.#replies(keys, mark)
        .filter(({ final }) => final === 1)
        .map(({ key, by }) => [key, by]),
    );
  }

  unheard(keys: readonly string[]): Set<string> {
    const rows = inChunks(keys, (chunk) =>
      this.#db.orm
        .selectDistinct({ key: attackCalls.key })
        .from(attackCalls)
        .leftJoin(attackReplies, eq(attackReplies.call, attackCalls.id))
        .where(
          and(inArray(attackCalls.key, chunk), or(isNull(attackReplies.call), eq(attackReplies.lost, 1))),
        )
        .all(),
    );
    return new Set(rows.map(({ key }) => key));
  }

  outcomes(keys: readonly string[], mark: JudgeMark): Map<string, Record<string, Outcome>> {
    return new Map(
      this.#replies(keys, mark).map(({ key, outcomes }) => [key, Outcomes.parse(JSON.parse(outcomes))]),
    );
  }

  /** Replies to these calls, the latest last; of the simulator only for judges whose verdicts are simulated too. */
  #replies(keys: readonly string[], mark: JudgeMark) {
    const simulated = this.#verdicts.isSimulated(mark) ? 1 : 0;
    return inChunks(keys, (chunk) =>
      this.#db.orm
        .select({
          key: attackCalls.key,
          by: attackCalls.id,
          final: attackReplies.final,
          outcomes: attackReplies.outcomes,
        })
        .from(attackCalls)
        .innerJoin(attackReplies, eq(attackReplies.call, attackCalls.id))
        .innerJoin(judges, eq(judges.id, attackCalls.judge))
        .where(and(inArray(attackCalls.key, chunk), eq(judges.simulated, simulated)))
        .orderBy(asc(attackCalls.id))
        .all(),
    );
  }

  /** Answers are read by the key of their call, whichever judge version asked: there is nothing to copy. */
  async adopt(): Promise<void> {}

  giveUp(_run: string, call: PlannedCall, verdicts: readonly Verdict[]): Promise<void> {
    return this.#commit.run(() => {
      const unheard = this.#db.orm
        .select({ id: attackCalls.id })
        .from(attackCalls)
        .leftJoin(attackReplies, eq(attackReplies.call, attackCalls.id))
        .where(and(eq(attackCalls.key, call.key), isNull(attackReplies.call)))
        .all();
      for (const { id } of unheard) this.#write(id, LOST, verdicts, false);
    });
  }

  intend(run: string, call: PlannedCall, { ceiling_usd }: Attempt, at: string): Promise<Intent> {
    let id: number | null = null;
    const write = (): Intent => {
      const open = this.#open.get(run);
      if (open === undefined) throw new Error(`run ${run} is not open`);
      const refusal = this.#budgets.refuse(run, at, ceiling_usd);
      if (refusal !== null) return refusal;
      const done = this.#db.orm
        .insert(attackCalls)
        .values({
          ...open,
          key: call.key,
          sample: call.sample,
          criteria: call.criteria.join(','),
          pairOrder: call.order,
          repeat: call.repeat,
          at,
          holdUsd: ceiling_usd,
        })
        .run();
      id = Number(done.lastInsertRowid);
      this.#budgets.hold(holdOf(id), run, at, ceiling_usd ?? 0);
      return { id };
    };
    return this.#commit.run(write).catch((error: unknown) => {
      this.#budgets.reset(id === null ? null : holdOf(id));
      throw error;
    });
  }

  settled(): Promise<void> {
    return this.#settling.next();
  }

  record(intent: number, receipt: CallReceipt, verdicts: readonly Verdict[], final: boolean): Promise<void> {
    return this.#settling.record(holdOf(intent), receipt.cost_usd, () => {
      this.#write(intent, receipt, verdicts, final);
    });
  }

  #write(call: number, receipt: CallReceipt, verdicts: readonly Verdict[], final: boolean): void {
    const row = {
      call,
      final: final ? 1 : 0,
      outcomes: JSON.stringify(Object.fromEntries(verdicts.map((one) => [one.criterion, one.result]))),
      ...receiptColumns(receipt),
    };
    this.#db.orm
      .insert(attackReplies)
      .values({ ...row, hash: rowHash(Object.values(row)) })
      .run();
  }

  /** Keeps what a judge version came to; call inside a transaction. */
  keep(report: AttackReport, at: string): void {
    const row = { judgeHash: report.judge_hash, at, report: JSON.stringify(report) };
    this.#db.orm
      .insert(attackReports)
      .values({ ...row, hash: rowHash(Object.values(row)) })
      .run();
  }

  /** The last report on a judge version, by its hash; null where it was never attacked. */
  reportOn(judgeHash: string): AttackReport | null {
    const row = this.#db.orm
      .select({ report: attackReports.report })
      .from(attackReports)
      .where(eq(attackReports.judgeHash, judgeHash))
      .orderBy(desc(attackReports.seq))
      .limit(1)
      .get();
    return row === undefined ? null : AttackReport.parse(JSON.parse(row.report));
  }
}

/** The number that budgets know an attack's call by: below 0, apart from those of ordinary calls. */
function holdOf(call: number): number {
  return -call;
}
