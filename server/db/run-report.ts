import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { RunReport } from '../../core/run.ts';
import { PairOrder, UnscoredCounts, UnscoredReason } from '../../core/verdict.ts';
import type { OpenDatabase } from './open.ts';
import { WAS_SENT } from './was-sent.ts';

const RunScope = z.object({
  id: z.string(),
  planned: z.number(),
  judge: z.number(),
  dataset: z.number(),
  sample_limit: z.number().nullable(),
});

/** The run, and the row of its last sample; null = it has all of the dataset. */
type Scope = z.infer<typeof RunScope> & { last: number | null };

/** Counts a run from the ledger; null where there is no such run. */
export function reportRun(db: OpenDatabase, run: string): RunReport | null {
  const [found] = rows(
    db,
    RunScope,
    sql`SELECT id, planned, judge, dataset, sample_limit FROM runs WHERE id = ${run}`,
  );
  if (found === undefined) return null;
  const scope = { ...found, last: lastSample(db, found) };
  return {
    calls: { planned: scope.planned, ...answeredOf(db, scope) },
    verdicts: verdictsOf(db, scope),
    ...spentOf(db, scope),
    unknown: unknownOf(db, scope),
  };
}

function lastSample(db: OpenDatabase, { dataset, sample_limit }: z.infer<typeof RunScope>): number | null {
  if (sample_limit === null) return null;
  const [row] = rows(
    db,
    z.object({ seq: z.number().nullable() }),
    sql`SELECT max(seq) AS seq FROM
      (SELECT seq FROM samples WHERE dataset = ${dataset} ORDER BY seq LIMIT ${sample_limit})`,
  );
  return row?.seq ?? null;
}

/** The verdicts that stand of the run's judge over its samples. */
function standing({ judge, dataset, last }: Scope): SQL {
  return sql`SELECT max(verdicts.seq) FROM verdicts JOIN samples ON samples.seq = verdicts.sample
    WHERE verdicts.judge = ${judge} AND samples.dataset = ${dataset}
      AND (${last} IS NULL OR samples.seq <= ${last})
    GROUP BY verdicts.criterion, verdicts.sample, verdicts.pair_order, verdicts.repeat`;
}

function answeredOf(db: OpenDatabase, scope: Scope): Pick<RunReport['calls'], 'answered' | 'reused'> {
  const [counts] = rows(
    db,
    RunReport.shape.calls.pick({ answered: true, reused: true }),
    sql`SELECT count(*) AS answered, coalesce(sum(run <> ${scope.id}), 0) AS reused FROM (
      SELECT DISTINCT verdicts.sample, calls.id, calls.run FROM verdicts
      JOIN calls ON calls.id = verdicts.call
      JOIN replies ON replies.call = calls.id AND replies.final = 1
      WHERE verdicts.seq IN (${standing(scope)}))`,
  );
  return counts ?? { answered: 0, reused: 0 };
}

const OutcomeCount = z.object({
  criterion: z.string(),
  outcome: z.union([z.literal('scored'), UnscoredReason]),
  n: z.number(),
});

function verdictsOf(db: OpenDatabase, scope: Scope): RunReport['verdicts'] {
  const counts = rows(
    db,
    OutcomeCount,
    sql`SELECT criterion, outcome, count(*) AS n FROM verdicts WHERE seq IN (${standing(scope)})
      GROUP BY criterion, outcome ORDER BY criterion, outcome`,
  );
  const all = { scored: 0, unscored: UnscoredCounts.parse({}) };
  const criteria: RunReport['verdicts']['criteria'] = {};
  for (const { criterion, outcome, n } of counts) {
    const own = criteria[criterion] ?? { scored: 0, unscored: {} };
    criteria[criterion] = own;
    for (const sum of [all, own]) {
      if (outcome === 'scored') sum.scored += n;
      else sum.unscored[outcome] = (sum.unscored[outcome] ?? 0) + n;
    }
  }
  return { ...all, criteria };
}

const { attempts, usage, cost } = RunReport.shape;
const Spent = z.object({ ...attempts.shape, ...usage.shape, ...cost.shape });

function spentOf(db: OpenDatabase, { id }: Scope): Pick<RunReport, 'attempts' | 'usage' | 'cost'> {
  const used = (part: string) => sql`coalesce(sum(json_extract(r.usage, ${`$.${part}`})), 0)`;
  const [spent] = rows(
    db,
    Spent,
    sql`SELECT coalesce(sum(${WAS_SENT}), 0) AS sent,
      coalesce(sum(r.call IS NULL OR r.lost = 1), 0) AS lost,
      coalesce(sum(EXISTS (SELECT 1 FROM calls e LEFT JOIN replies f ON f.call = e.id
        WHERE e.key = c.key AND e.id < c.id AND e.turn = c.turn AND e.max_output_tokens IS c.max_output_tokens
        AND (f.call IS NULL OR f.lost = 1 OR json_extract(f.usage, '$.input') > 0))), 0) AS resent,
      ${used('input')} AS input, ${used('cacheRead')} AS cache_read, ${used('cacheWrite')} AS cache_write,
      ${used('output')} AS output, ${used('reasoning')} AS reasoning,
      coalesce(sum(r.cost_usd), 0.0) AS usd,
      coalesce(sum(r.cost_usd IS NULL), 0) AS in_doubt,
      coalesce(sum(CASE WHEN r.cost_usd IS NULL THEN c.hold_usd END), 0.0) AS in_doubt_usd,
      coalesce(sum(r.cost_usd IS NULL AND c.hold_usd IS NULL), 0) AS unpriced
      FROM calls c LEFT JOIN replies r ON r.call = c.id WHERE c.run = ${id}`,
  );
  if (spent === undefined) throw new Error('a sum has no row');
  return {
    attempts: attempts.strip().parse(spent),
    usage: usage.strip().parse(spent),
    cost: cost.strip().parse(spent),
  };
}

const Unknown = z.object({
  sample: z.string(),
  criteria: z.string(),
  order: PairOrder.nullable(),
  repeat: z.number(),
  sent_at: z.string(),
});

function unknownOf(db: OpenDatabase, { id }: Scope): RunReport['unknown'] {
  return rows(
    db,
    Unknown,
    sql`SELECT coalesce(samples.external, samples.id) AS sample, c.criteria, c.pair_order AS "order", c.repeat,
      max(c.at) AS sent_at
      FROM calls c JOIN samples ON samples.seq = c.sample LEFT JOIN replies r ON r.call = c.id
      WHERE c.run = ${id} AND (r.call IS NULL OR r.lost = 1)
        AND NOT EXISTS (SELECT 1 FROM calls d JOIN replies f ON f.call = d.id AND f.final = 1 WHERE d.key = c.key)
      GROUP BY c.key ORDER BY min(c.id) LIMIT 1000`,
  ).map((row) => ({ ...row, criteria: row.criteria.split(',') }));
}

function rows<Row extends z.ZodType>(db: OpenDatabase, row: Row, query: SQL): z.infer<Row>[] {
  return z.array(row).parse(db.orm.all(query));
}
