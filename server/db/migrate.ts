import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { Problem } from '../../core/problem.ts';
import { packageRoot } from '../../harness/asset.ts';

export interface Migration {
  /** Its file's name without the ending; migrations run in the order of their ids. */
  id: string;
  sql: string;
  hash: string;
}

/** The migrations that this build knows, in order. */
export function knownMigrations(folder = join(packageRoot(), 'server/db/migrations')): Migration[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => {
      const sql = readFileSync(join(folder, name), 'utf8');
      return { id: name.slice(0, -4), sql, hash: createHash('sha256').update(sql).digest('hex') };
    });
}

export interface MigrateOptions {
  migrations: Migration[];
  now: () => string;
  /** Called before the first change to a database that already holds something. */
  backUp: () => void;
}

/**
 * Brings a database up to this build's schema, each migration whole or not at all.
 * Foreign keys are off outside the transaction (a rebuilt table must not take its children along); the rows of every
 * table are counted before and after; foreign keys are checked before the commit.
 * @throws Problem `newer_database`, `edited_migration`, `late_migration` or `migration_lost_rows`; nothing is changed then.
 */
export function migrate(db: Database, { migrations, now, backUp }: MigrateOptions): void {
  db.exec(
    'CREATE TABLE IF NOT EXISTS schema_migrations (id TEXT PRIMARY KEY, hash TEXT NOT NULL, applied_at TEXT NOT NULL) STRICT',
  );
  const applied = db
    .prepare<[], { id: string; hash: string }>('SELECT id, hash FROM schema_migrations ORDER BY id')
    .all();
  assertKnown(applied, migrations);
  const pending = migrations.filter((migration) => !applied.some((one) => one.id === migration.id));
  const [first] = pending;
  if (first === undefined) return;
  const last = applied.at(-1);
  if (last !== undefined && first.id < last.id) {
    throw new Problem(
      'late_migration',
      `migration ${first.id} comes before ${last.id}, which is already applied`,
      {
        remedy: 'Give the new migration an id after the last one.',
        exitCode: 3,
      },
    );
  }
  if (applied.length > 0) backUp();
  for (const migration of pending) applyOne(db, migration, now());
}

function assertKnown(applied: { id: string; hash: string }[], migrations: Migration[]): void {
  for (const one of applied) {
    const known = migrations.find((migration) => migration.id === one.id);
    if (known === undefined) {
      throw new Problem(
        'newer_database',
        `the database has migration ${one.id}, this build ends at ${migrations.at(-1)?.id ?? 'none'}`,
        {
          remedy: 'Use the newer touchstone that made it, or restore a backup from .touchstone/backups.',
          exitCode: 3,
        },
      );
    }
    if (known.hash !== one.hash) {
      throw new Problem('edited_migration', `migration ${one.id} was edited after it was applied`, {
        remedy: 'Put the migration file back as it was; make a new migration for the change.',
        details: [`applied: ${one.hash}`, `file:    ${known.hash}`],
        exitCode: 3,
      });
    }
  }
}

function applyOne(db: Database, migration: Migration, at: string): void {
  db.pragma('foreign_keys = OFF');
  try {
    db.transaction(() => {
      const before = rowCounts(db);
      for (const statement of migration.sql.split('--> statement-breakpoint')) {
        if (statement.trim() !== '') db.exec(statement);
      }
      const after = rowCounts(db);
      for (const [table, rows] of before) {
        if (after.get(table) !== rows) {
          throw new Problem(
            'migration_lost_rows',
            `migration ${migration.id} would change ${table} from ${rows} to ${after.get(table) ?? 0} rows`,
            {
              remedy: 'Nothing was changed. Report this with the migration id.',
              exitCode: 3,
            },
          );
        }
      }
      const broken = db.pragma('foreign_key_check');
      if (Array.isArray(broken) && broken.length > 0) {
        throw new Problem(
          'migration_broke_links',
          `migration ${migration.id} would leave ${broken.length} rows without their parent`,
          {
            remedy: 'Nothing was changed. Report this with the migration id.',
            exitCode: 3,
          },
        );
      }
      db.prepare('INSERT INTO schema_migrations (id, hash, applied_at) VALUES (?, ?, ?)').run(
        migration.id,
        migration.hash,
        at,
      );
      db.pragma(`user_version = ${Number.parseInt(migration.id, 10) + 1}`);
    }).immediate();
  } finally {
    db.pragma('foreign_keys = ON');
  }
}

/** Rows by table, our own bookkeeping left out. */
function rowCounts(db: Database): Map<string, number> {
  const tables = db
    .prepare<[], { name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'schema_migrations'",
    )
    .all();
  return new Map(
    tables.map(({ name }) => [
      name,
      db.prepare<[], { n: number }>(`SELECT count(*) AS n FROM "${name.replaceAll('"', '""')}"`).get()?.n ??
        0,
    ]),
  );
}
