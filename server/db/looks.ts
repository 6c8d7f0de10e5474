import { and, count, eq } from 'drizzle-orm';
import type { OpenDatabase } from './open.ts';
import { looks } from './schema.ts';

export type Look = Omit<typeof looks.$inferSelect, 'seq'>;

/** The ledger of looks at sealed splits: each one is written before its figures are shown. */
export class LookStore {
  readonly #db: OpenDatabase;

  constructor(db: OpenDatabase) {
    this.#db = db;
  }

  /** Records a look. @returns how many looks there have now been at this label set. */
  record(look: Look): number {
    this.#db.orm.insert(looks).values(look).run();
    return this.count(look.labelSetHash);
  }

  /** Looks at the test split of a label set so far, by the set's hash. */
  count(labelSetHash: string): number {
    return (
      this.#db.orm.select({ n: count() }).from(looks).where(eq(looks.labelSetHash, labelSetHash)).get()?.n ??
      0
    );
  }

  /** Looks at one judge version's figures on this set, by their hashes. */
  countOf(labelSetHash: string, judgeHash: string): number {
    const both = and(eq(looks.labelSetHash, labelSetHash), eq(looks.judgeHash, judgeHash));
    return this.#db.orm.select({ n: count() }).from(looks).where(both).get()?.n ?? 0;
  }

  list(): Look[] {
    return this.#db.orm
      .select()
      .from(looks)
      .all()
      .map(({ seq: _, ...look }) => look);
  }
}
