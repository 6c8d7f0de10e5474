import { and, asc, count, eq, gt, inArray, like, or, sql } from 'drizzle-orm';
import { Problem } from '../../core/problem.ts';
import { Sample } from '../../core/sample.ts';
import type { OpenDatabase } from './open.ts';
import { rowHash } from './row-hash.ts';
import { datasets, labels, samples } from './schema.ts';

export interface DatasetRow {
  id: number;
  name: string;
  rubric: string | null;
  samples: number;
}

/** What inserting a sample came to. `seq` is the row that stands. */
export type Inserted = { seq: number } & (
  | { status: 'new' }
  | { status: 'known' }
  | { status: 'conflict'; stands: string }
);

/** Samples and the datasets they stand in. */
export class SampleStore {
  readonly #db: OpenDatabase;
  readonly #insert;
  readonly #byId;
  readonly #byExternal;

  constructor(db: OpenDatabase) {
    this.#db = db;
    // plain statements: a row passes here a million times in an import, and drizzle's own cost would double it
    this.#insert = db.raw.prepare<Omit<Row, 'seq'>>(
      `INSERT OR IGNORE INTO samples (dataset, id, kind, input, output, output_b, trace, context, reference, external, metadata, group_name, content_hash, hash)
       VALUES (@dataset, @id, @kind, @input, @output, @outputB, @trace, @context, @reference, @external, @metadata, @groupName, @contentHash, @hash)`,
    );
    this.#byId = db.raw.prepare<[number, string], { seq: number }>(
      'SELECT seq FROM samples WHERE dataset = ? AND id = ?',
    );
    this.#byExternal = db.raw.prepare<[number, string | null], { seq: number; id: string }>(
      'SELECT seq, id FROM samples WHERE dataset = ? AND external = ?',
    );
  }

  /** The dataset of a name, made where it is missing. */
  ensureDataset(name: string, rubric: string | null, now: string): DatasetRow {
    this.#db.orm.insert(datasets).values({ name, rubric, createdAt: now }).onConflictDoNothing().run();
    if (rubric !== null) this.#db.orm.update(datasets).set({ rubric }).where(eq(datasets.name, name)).run();
    return this.dataset(name);
  }

  /** @throws Problem `no_dataset` that lists what there is. */
  dataset(name: string): DatasetRow {
    const all = this.datasets();
    const found = all.find((one) => one.name === name);
    if (found !== undefined) return found;
    throw new Problem('no_dataset', `there is no dataset "${name}"`, {
      remedy:
        all.length === 0
          ? 'Import one: touchstone import <file> --dataset <name>.'
          : `There are: ${all.map((one) => one.name).join(', ')}.`,
      status: 404,
    });
  }

  datasets(): DatasetRow[] {
    return this.#db.orm
      .select({ id: datasets.id, name: datasets.name, rubric: datasets.rubric, samples: count(samples.seq) })
      .from(datasets)
      .leftJoin(samples, eq(samples.dataset, datasets.id))
      .groupBy(datasets.id)
      .orderBy(asc(datasets.id))
      .all();
  }

  /** Stores one sample; call inside a transaction. The same sample again is known; the same external id with other content is a conflict. */
  insert(dataset: number, sample: Sample): Inserted {
    const row = toRow(dataset, sample);
    const done = this.#insert.run(row);
    if (done.changes === 1) return { seq: Number(done.lastInsertRowid), status: 'new' };
    const same = this.#byId.get(dataset, sample.id);
    if (same !== undefined) return { seq: same.seq, status: 'known' };
    const other = this.#byExternal.get(dataset, row.external);
    if (other === undefined) throw new Error(`sample ${sample.id} was neither stored nor found`);
    return { seq: other.seq, status: 'conflict', stands: other.id };
  }

  /** One page of a dataset in import order. `query` looks in the texts and ids. */
  page(
    dataset: number,
    { after, limit, query }: { after: number; limit: number; query: string },
  ): { seq: number; sample: Sample }[] {
    const pattern = `%${query.replaceAll(/[%_\\]/g, (char) => `\\${char}`)}%`;
    const escaped = (column: typeof samples.input) => sql`${column} LIKE ${pattern} ESCAPE '\\'`;
    const rows = this.#db.orm
      .select()
      .from(samples)
      .where(
        and(
          eq(samples.dataset, dataset),
          gt(samples.seq, after),
          query === ''
            ? undefined
            : or(
                escaped(samples.input),
                sql`${samples.output} LIKE ${pattern} ESCAPE '\\'`,
                like(samples.id, pattern),
                sql`${samples.external} LIKE ${pattern} ESCAPE '\\'`,
              ),
        ),
      )
      .orderBy(asc(samples.seq))
      .limit(limit)
      .all();
    return rows.map((row) => ({ seq: row.seq, sample: toSample(row) }));
  }

  /** Every sample of a dataset, a page at a time. */
  *all(dataset: number): Generator<{ seq: number; sample: Sample }> {
    let after = 0;
    for (;;) {
      const rows = this.page(dataset, { after, limit: 500, query: '' });
      yield* rows;
      const last = rows.at(-1);
      if (last === undefined) return;
      after = last.seq;
    }
  }

  /** Ids in import order, for queues. */
  ids(dataset: number): { seq: number; id: string }[] {
    return this.#db.orm
      .select({ seq: samples.seq, id: samples.id })
      .from(samples)
      .where(eq(samples.dataset, dataset))
      .orderBy(asc(samples.seq))
      .all();
  }

  /** A sample by id, in a dataset or, without one, wherever it stands first. */
  find(id: string, dataset?: number): { seq: number; dataset: number; sample: Sample } | null {
    const row = this.#db.orm
      .select()
      .from(samples)
      .where(and(eq(samples.id, id), dataset === undefined ? undefined : eq(samples.dataset, dataset)))
      .orderBy(asc(samples.seq))
      .limit(1)
      .get();
    return row === undefined ? null : { seq: row.seq, dataset: row.dataset, sample: toSample(row) };
  }

  /** Samples by row. */
  bySeq(seqs: readonly number[]): Map<number, Sample> {
    const found = new Map<number, Sample>();
    for (let from = 0; from < seqs.length; from += 500) {
      const rows = this.#db.orm
        .select()
        .from(samples)
        .where(inArray(samples.seq, seqs.slice(from, from + 500)))
        .all();
      for (const row of rows) found.set(row.seq, toSample(row));
    }
    return found;
  }

  /** Contents that stand in a dataset under several ids. */
  duplicates(dataset: number): { contents: number; samples: number } {
    const rows = this.#db.orm
      .select({ n: count() })
      .from(samples)
      .where(eq(samples.dataset, dataset))
      .groupBy(samples.contentHash)
      .having(gt(count(), 1))
      .all();
    return { contents: rows.length, samples: rows.reduce((sum, row) => sum + row.n, 0) };
  }

  /** How many samples of a dataset have at least one label of a person. */
  labelled(dataset: number): number {
    const row = this.#db.orm
      .select({ n: sql<number>`count(DISTINCT ${labels.sample})` })
      .from(labels)
      .innerJoin(samples, eq(samples.seq, labels.sample))
      .where(and(eq(samples.dataset, dataset), inArray(labels.act, ['label', 'not_applicable'])))
      .get();
    return row?.n ?? 0;
  }
}

type Row = typeof samples.$inferSelect;

function toRow(dataset: number, { id, content, content_hash, origin }: Sample): Omit<Row, 'seq'> {
  const metadata = JSON.stringify(origin.metadata);
  return {
    dataset,
    id,
    kind: content.kind,
    input: content.input,
    output: content.kind === 'pair' ? content.outputs.a : (content.output ?? null),
    outputB: content.kind === 'pair' ? content.outputs.b : null,
    trace: content.kind === 'trace' ? JSON.stringify(content.trace) : null,
    context: content.context ?? null,
    reference: content.reference ?? null,
    external: origin.external ?? null,
    metadata,
    groupName: origin.group ?? null,
    contentHash: content_hash,
    hash: rowHash([id, content_hash, origin.external, metadata, origin.group]),
  };
}

function toSample(row: Row): Sample {
  const shared = {
    kind: row.kind,
    input: row.input,
    ...(row.context !== null && { context: row.context }),
    ...(row.reference !== null && { reference: row.reference }),
  };
  const content =
    row.kind === 'pair'
      ? { ...shared, outputs: { a: row.output, b: row.outputB } }
      : {
          ...shared,
          ...(row.output !== null && { output: row.output }),
          ...(row.kind === 'trace' && { trace: JSON.parse(row.trace ?? 'null') }),
        };
  return Sample.parse({
    id: row.id,
    content_hash: row.contentHash,
    content,
    origin: {
      metadata: JSON.parse(row.metadata),
      ...(row.external !== null && { external: row.external }),
      ...(row.groupName !== null && { group: row.groupName }),
    },
  });
}
