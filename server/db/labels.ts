import { and, asc, eq, inArray, ne, sql } from 'drizzle-orm';
import { type LabelAck, LabelAct, type LabelEvent, type Saw, StoredLabel } from '../../core/label.ts';
import type { OpenDatabase } from './open.ts';
import { rowHash } from './row-hash.ts';
import { labels, reveals, samples } from './schema.ts';

export interface LabelContext {
  rubric: string;
  rubricHash: string;
  annotator: string;
  saw: Saw;
}

/** People's labels: appended, never changed; what stands is each person's last event on a criterion. */
export class LabelStore {
  readonly #db: OpenDatabase;
  readonly #byEvent;
  readonly #last;
  readonly #insert;

  constructor(db: OpenDatabase) {
    this.#db = db;
    const value = sql.placeholder;
    this.#byEvent = db.orm
      .select({ revision: labels.revision })
      .from(labels)
      .where(eq(labels.id, value('id')))
      .prepare();
    this.#last = db.orm
      .select({ revision: labels.revision, act: labels.act, value: labels.value, unsure: labels.unsure })
      .from(labels)
      .where(
        and(
          eq(labels.sample, value('sample')),
          eq(labels.criterion, value('criterion')),
          eq(labels.rubric, value('rubric')),
          eq(labels.annotator, value('annotator')),
        ),
      )
      .orderBy(sql`${labels.revision} DESC`)
      .limit(1)
      .prepare();
    this.#insert = db.orm
      .insert(labels)
      .values({
        id: value('id'),
        sample: value('sample'),
        criterion: value('criterion'),
        rubric: value('rubric'),
        rubricHash: value('rubricHash'),
        annotator: value('annotator'),
        act: value('act'),
        value: value('value'),
        unsure: value('unsure'),
        evidence: value('evidence'),
        note: value('note'),
        ms: value('ms'),
        saw: value('saw'),
        shown: value('shown'),
        at: value('at'),
        revision: value('revision'),
        hash: value('hash'),
      })
      .prepare();
  }

  /**
   * Appends one event; call inside a transaction. The same event id again is replayed, not stored twice; an event that
   * builds on an older revision than what stands is a conflict and is not stored.
   */
  append(
    sample: number,
    event: LabelEvent | (Omit<LabelEvent, 'id'> & { id: string }),
    context: LabelContext,
  ): LabelAck {
    const known = this.#byEvent.get({ id: event.id });
    if (known !== undefined) return { id: event.id, revision: known.revision, status: 'replayed' };
    const last = this.#last.get({
      sample,
      criterion: event.criterion,
      rubric: context.rubric,
      annotator: context.annotator,
    });
    const stands = last?.revision ?? 0;
    if (event.base !== null && event.base !== stands) {
      return {
        id: event.id,
        revision: Math.max(stands, 1),
        status: 'conflict',
        ...(last && { stands: toAct(last) }),
      };
    }
    const { what } = event;
    const row = {
      id: event.id,
      sample,
      criterion: event.criterion,
      rubric: context.rubric,
      rubricHash: context.rubricHash,
      annotator: context.annotator,
      act: what.act,
      value: what.act === 'label' ? what.value : null,
      unsure: what.act === 'label' && what.unsure ? 1 : 0,
      evidence: JSON.stringify(event.evidence),
      note: event.note,
      ms: event.ms,
      saw: context.saw,
      shown: event.order,
      at: event.at,
      revision: stands + 1,
    };
    this.#insert.run({ ...row, hash: rowHash(Object.values(row)) });
    return { id: event.id, revision: stands + 1, status: 'stored' };
  }

  /**
   * What stands in a dataset under one rubric version: each person's last event on each criterion.
   * `blind` leaves out what people said after they had seen verdicts: the blind answer before it then stands.
   */
  standing(
    dataset: number,
    rubric: string,
    filter: { annotator?: string; criterion?: string; blind?: boolean } = {},
  ): StandingLabel[] {
    const latest = this.#db.orm
      .select({ seq: sql<number>`max(${labels.seq})`.as('seq') })
      .from(labels)
      .innerJoin(samples, eq(samples.seq, labels.sample))
      .where(
        and(
          eq(samples.dataset, dataset),
          eq(labels.rubric, rubric),
          filter.annotator === undefined ? undefined : eq(labels.annotator, filter.annotator),
          filter.criterion === undefined ? undefined : eq(labels.criterion, filter.criterion),
          filter.blind === true ? ne(labels.saw, 'verdicts') : undefined,
        ),
      )
      .groupBy(labels.sample, labels.criterion, labels.annotator);
    const rows = this.#db.orm
      .select({ label: labels, sampleId: samples.id })
      .from(labels)
      .innerJoin(samples, eq(samples.seq, labels.sample))
      .where(inArray(labels.seq, latest))
      .orderBy(asc(labels.seq))
      .all();
    return rows.map(({ label, sampleId }) => ({ seq: label.sample, label: toStored(label, sampleId) }));
  }

  /** The history of one sample, oldest first: everyone's, or one person's. */
  ofSample(sample: number, rubric: string, annotator?: string): StoredLabel[] {
    return this.#db.orm
      .select({ label: labels, sampleId: samples.id })
      .from(labels)
      .innerJoin(samples, eq(samples.seq, labels.sample))
      .where(
        and(
          eq(labels.sample, sample),
          eq(labels.rubric, rubric),
          annotator === undefined ? undefined : eq(labels.annotator, annotator),
        ),
      )
      .orderBy(asc(labels.seq))
      .all()
      .map(({ label, sampleId }) => toStored(label, sampleId));
  }

  /** Records that someone, under each of these names, was shown what others said of a sample. */
  reveal(sample: number, names: readonly string[], at: string): void {
    const rows = names.map((annotator) => ({ sample, annotator, at }));
    this.#db.orm.insert(reveals).values(rows).onConflictDoNothing().run();
  }

  /** Was anyone of these names shown what others said of a sample? */
  revealed(sample: number, names: readonly string[]): boolean {
    const row = this.#db.orm
      .select({ at: reveals.at })
      .from(reveals)
      .where(and(eq(reveals.sample, sample), inArray(reveals.annotator, [...names])))
      .limit(1)
      .get();
    return row !== undefined;
  }

  /** The people who labelled in a dataset. */
  annotators(dataset: number): string[] {
    return this.#db.orm
      .selectDistinct({ annotator: labels.annotator })
      .from(labels)
      .innerJoin(samples, eq(samples.seq, labels.sample))
      .where(eq(samples.dataset, dataset))
      .orderBy(asc(labels.annotator))
      .all()
      .map((row) => row.annotator);
  }

  /** Which rubric versions have labels in a dataset. */
  rubrics(dataset: number): string[] {
    return this.#db.orm
      .selectDistinct({ rubric: labels.rubric })
      .from(labels)
      .innerJoin(samples, eq(samples.seq, labels.sample))
      .where(eq(samples.dataset, dataset))
      .all()
      .map((row) => row.rubric);
  }
}

export interface StandingLabel {
  /** The sample's row. */
  seq: number;
  label: StoredLabel;
}

function toAct(row: { act: string; value: string | null; unsure: number }): LabelAct {
  return LabelAct.parse(
    row.act === 'label' ? { act: 'label', value: row.value, unsure: row.unsure === 1 } : { act: row.act },
  );
}

function toStored(row: typeof labels.$inferSelect, sample: string): StoredLabel {
  return StoredLabel.parse({
    id: row.id,
    sample,
    criterion: row.criterion,
    what: toAct(row),
    evidence: JSON.parse(row.evidence),
    note: row.note,
    ms: row.ms,
    at: row.at,
    order: row.shown,
    rubric: row.rubric,
    rubric_hash: row.rubricHash,
    annotator: row.annotator,
    saw: row.saw,
    revision: row.revision,
  });
}
