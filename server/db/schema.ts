import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/*
 * What was observed. Every table is STRICT (the generator sees to it); labels, verdicts, calls, replies, attacks and looks are
 * append-only (triggers raise on UPDATE and DELETE); no foreign key cascades. `hash` covers the row's own content.
 */

export const datasets = sqliteTable('datasets', {
  id: integer('id').primaryKey({ autoIncrement: true }),
  name: text('name').notNull().unique(),
  rubric: text('rubric'),
  createdAt: text('created_at').notNull(),
});

export const samples = sqliteTable(
  'samples',
  {
    seq: integer('seq').primaryKey(),
    dataset: integer('dataset')
      .notNull()
      .references(() => datasets.id),
    id: text('id').notNull(),
    kind: text('kind', { enum: ['single', 'pair', 'trace'] }).notNull(),
    input: text('input').notNull(),
    output: text('output'),
    outputB: text('output_b'),
    trace: text('trace'),
    context: text('context'),
    reference: text('reference'),
    external: text('external'),
    metadata: text('metadata').notNull(),
    groupName: text('group_name'),
    contentHash: text('content_hash').notNull(),
    hash: text('hash').notNull(),
  },
  (table) => [
    uniqueIndex('samples_dataset_id').on(table.dataset, table.id),
    uniqueIndex('samples_dataset_external').on(table.dataset, table.external),
  ],
);

export const labels = sqliteTable(
  'labels',
  {
    seq: integer('seq').primaryKey({ autoIncrement: true }),
    id: text('id').notNull().unique(),
    sample: integer('sample')
      .notNull()
      .references(() => samples.seq),
    criterion: text('criterion').notNull(),
    rubric: text('rubric').notNull(),
    rubricHash: text('rubric_hash').notNull(),
    annotator: text('annotator').notNull(),
    act: text('act', { enum: ['label', 'not_applicable', 'skip', 'flag', 'clear'] }).notNull(),
    value: text('value'),
    unsure: integer('unsure').notNull(),
    evidence: text('evidence').notNull(),
    note: text('note').notNull(),
    ms: integer('ms').notNull(),
    saw: text('saw', { enum: ['blind', 'verdicts', 'imported'] }).notNull(),
    shown: text('shown', { enum: ['ab', 'ba'] }),
    at: text('at').notNull(),
    revision: integer('revision').notNull(),
    hash: text('hash').notNull(),
  },
  (table) => [
    uniqueIndex('labels_revision').on(
      table.sample,
      table.criterion,
      table.rubric,
      table.annotator,
      table.revision,
    ),
    index('labels_rubric').on(table.rubric, table.criterion),
  ],
);

/** Judges by name and hash: verdicts point here. */
export const judges = sqliteTable(
  'judges',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    name: text('name').notNull(),
    hash: text('hash').notNull(),
    simulated: integer('simulated').notNull(),
  },
  (table) => [uniqueIndex('judges_name_hash').on(table.name, table.hash)],
);

export const runs = sqliteTable('runs', {
  id: text('id').primaryKey(),
  judge: integer('judge')
    .notNull()
    .references(() => judges.id),
  dataset: integer('dataset')
    .notNull()
    .references(() => datasets.id),
  planned: integer('planned').notNull(),
  concurrency: integer('concurrency').notNull(),
  /** Null = all samples of the dataset. */
  sampleLimit: integer('sample_limit'),
  budgetUsd: real('budget_usd'),
  startedAt: text('started_at').notNull(),
  state: text('state', { enum: ['running', 'done', 'stopped', 'paused', 'failed'] }).notNull(),
  why: text('why').notNull(),
  endedAt: text('ended_at'),
});

/** Many calls that went to a provider at once. */
export const batches = sqliteTable(
  'batches',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    run: text('run')
      .notNull()
      .references(() => runs.id),
    marker: text('marker').notNull(),
    /** The provider's id; null = it was never read. */
    remote: text('remote'),
    state: text('state', {
      enum: ['filling', 'sending', 'sent', 'taken', 'unmade', 'refused', 'given_up'],
    }).notNull(),
    why: text('why').notNull(),
    at: text('at').notNull(),
    endedAt: text('ended_at'),
  },
  (table) => [uniqueIndex('batches_marker').on(table.marker), index('batches_run').on(table.run)],
);

/** Results that name no call of their batch. */
export const strays = sqliteTable('strays', {
  id: integer('id').primaryKey({ autoIncrement: true }),
  batch: integer('batch')
    .notNull()
    .references(() => batches.id),
  text: text('text').notNull(),
});

/** The intent of a paid call, on disk before the call is sent. */
export const calls = sqliteTable(
  'calls',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    run: text('run')
      .notNull()
      .references(() => runs.id),
    key: text('key').notNull(),
    sample: integer('sample')
      .notNull()
      .references(() => samples.seq),
    criteria: text('criteria').notNull(),
    pairOrder: text('pair_order', { enum: ['ab', 'ba'] }),
    repeat: integer('repeat').notNull(),
    at: text('at').notNull(),
    turn: integer('turn').notNull().default(1),
    /** Null in rows of before it was kept. */
    maxOutputTokens: integer('max_output_tokens'),
    /** What is reserved for it until its cost is known; null = its price was not known. */
    holdUsd: real('hold_usd'),
    /** Null = it was sent alone. */
    batch: integer('batch').references(() => batches.id),
  },
  (table) => [
    index('calls_key').on(table.key),
    index('calls_run').on(table.run),
    index('calls_batch').on(table.batch),
  ],
);

/** What both ledgers keep of a reply. */
const receipt = {
  usage: text('usage'),
  costUsd: real('cost_usd'),
  servedModel: text('served_model'),
  fingerprint: text('fingerprint'),
  requestId: text('request_id'),
  ms: real('ms').notNull(),
  raw: text('raw'),
  hash: text('hash').notNull(),
};

/** What came of a call; a call without one was sent and never heard of. */
export const replies = sqliteTable('replies', {
  call: integer('call')
    .primaryKey()
    .references(() => calls.id),
  final: integer('final').notNull(),
  ...receipt,
  lost: integer('lost').notNull().default(0),
});

export const verdicts = sqliteTable(
  'verdicts',
  {
    seq: integer('seq').primaryKey({ autoIncrement: true }),
    call: integer('call').references(() => calls.id),
    judge: integer('judge')
      .notNull()
      .references(() => judges.id),
    sample: integer('sample')
      .notNull()
      .references(() => samples.seq),
    criterion: text('criterion').notNull(),
    rubricHash: text('rubric_hash').notNull(),
    pairOrder: text('pair_order', { enum: ['ab', 'ba'] }),
    repeat: integer('repeat').notNull(),
    outcome: text('outcome').notNull(),
    value: text('value'),
    reason: text('reason').notNull(),
    quotes: text('quotes').notNull(),
    servedModel: text('served_model'),
    fingerprint: text('fingerprint'),
    at: text('at').notNull(),
    hash: text('hash').notNull(),
  },
  (table) => [
    index('verdicts_judge').on(table.judge, table.criterion, table.sample),
    index('verdicts_sample').on(table.sample),
    index('verdicts_call').on(table.call),
  ],
);

/**
 * The calls of attacks on judges, kept from the ordinary ones: what a judge says of a hostile input is in no figure of
 * its agreement. `sample` is the attacked sample's id; its text follows from the pack and the real sample.
 */
export const attackCalls = sqliteTable(
  'attack_calls',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    judge: integer('judge')
      .notNull()
      .references(() => judges.id),
    dataset: integer('dataset')
      .notNull()
      .references(() => datasets.id),
    key: text('key').notNull(),
    sample: text('sample').notNull(),
    criteria: text('criteria').notNull(),
    pairOrder: text('pair_order', { enum: ['ab', 'ba'] }),
    repeat: integer('repeat').notNull(),
    at: text('at').notNull(),
    /** The most that it can cost, US dollars: reserved until the reply tells what it cost. */
    holdUsd: real('hold_usd'),
  },
  (table) => [index('attack_calls_key').on(table.key)],
);

/** What came of a call of an attack, with its outcome on each criterion. */
export const attackReplies = sqliteTable('attack_replies', {
  call: integer('call')
    .primaryKey()
    .references(() => attackCalls.id),
  final: integer('final').notNull(),
  outcomes: text('outcomes').notNull(),
  ...receipt,
  lost: integer('lost').notNull(),
});

/** What a judge version came to under the attack pack; the last one stands. */
export const attackReports = sqliteTable(
  'attack_reports',
  {
    seq: integer('seq').primaryKey({ autoIncrement: true }),
    judgeHash: text('judge_hash').notNull(),
    at: text('at').notNull(),
    report: text('report').notNull(),
    hash: text('hash').notNull(),
  },
  (table) => [index('attack_reports_judge').on(table.judgeHash)],
);

/** Every look at a sealed split. */
export const looks = sqliteTable('looks', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  labelSet: text('label_set').notNull(),
  labelSetHash: text('label_set_hash').notNull(),
  judge: text('judge').notNull(),
  judgeHash: text('judge_hash').notNull(),
  reason: text('reason').notNull(),
  by: text('by_whom').notNull(),
  at: text('at').notNull(),
});

/** Who has seen the judges' verdicts and other people's labels of which sample: their later labels are not blind. */
export const reveals = sqliteTable(
  'reveals',
  {
    sample: integer('sample')
      .notNull()
      .references(() => samples.seq),
    annotator: text('annotator').notNull(),
    at: text('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.sample, table.annotator] })],
);

/** Signed-in browsers and command lines; the token itself is never stored. */
export const sessions = sqliteTable('sessions', {
  tokenHash: text('token_hash').primaryKey(),
  annotator: text('annotator'),
  createdAt: text('created_at').notNull(),
  expiresAt: text('expires_at').notNull(),
});
