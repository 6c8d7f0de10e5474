import { closeSync, existsSync, mkdirSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3';
import { Problem } from '../../core/problem.ts';
import { knownMigrations, type Migration, migrate } from './migrate.ts';
import * as schema from './schema.ts';

/** Marks our files: "TSTN". */
const APPLICATION_ID = 0x5453544e;
const OLDEST_SQLITE = '3.51.3';
/** Databases up to this size are checked page by page at each open; larger ones by `touchstone doctor`. */
const QUICK_CHECK_BYTES = 64 * 1024 * 1024;

export type Sql = BetterSQLite3Database<typeof schema>;

/** An open database: the raw handle for transactions and pragmas, drizzle for everything else. */
export interface OpenDatabase {
  raw: Sqlite.Database;
  orm: Sql;
  path: string;
}

export interface OpenOptions {
  now: () => string;
  migrations?: Migration[];
  readonly?: boolean;
}

/**
 * Opens (or makes) the workspace's database: WAL, every commit synced to disk, foreign keys on, migrated.
 * @param folder the data folder; made with mode 0700 where it is missing.
 * @throws Problem with exit code 3, the file untouched, where it is not ours, damaged or of a newer version.
 */
export function openDatabase(
  folder: string,
  { now, migrations = knownMigrations(), readonly = false }: OpenOptions,
): OpenDatabase {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'touchstone.db');
  const isNew = !existsSync(path);
  if (isNew && readonly) {
    throw new Problem('no_database', 'the workspace has no database yet', {
      remedy: 'Import samples first: touchstone import --help.',
    });
  }
  if (!isNew) assertHeader(path);
  const { raw, orm } = connect(path, readonly);
  try {
    prepare(raw, path, isNew);
    if (!readonly) migrate(raw, { migrations, now, backUp: () => backUp(raw, folder, now()) });
  } catch (error) {
    raw.close();
    throw error;
  }
  return { raw, orm, path };
}

function connect(path: string, readonly: boolean): Pick<OpenDatabase, 'raw' | 'orm'> {
  const raw = new Sqlite(path, { timeout: 250, readonly });
  return { raw, orm: drizzle(raw, { schema }) };
}

function prepare(raw: Sqlite.Database, path: string, isNew: boolean): void {
  const version = String(raw.prepare('SELECT sqlite_version() AS v').pluck().get());
  if (compareVersions(version, OLDEST_SQLITE) < 0) {
    throw new Problem('old_sqlite', `SQLite ${version} can corrupt a WAL database with two writers`, {
      remedy: `Install better-sqlite3 with SQLite ${OLDEST_SQLITE} or later.`,
      exitCode: 3,
    });
  }
  if (isNew) {
    raw.pragma(`application_id = ${APPLICATION_ID}`);
  } else {
    const id = raw.pragma('application_id', { simple: true });
    if (id !== APPLICATION_ID) throw damaged(path, "it is another program's SQLite file");
    if (statSync(path).size <= QUICK_CHECK_BYTES && raw.pragma('quick_check', { simple: true }) !== 'ok') {
      throw damaged(path, 'its pages are damaged');
    }
  }
  if (!raw.readonly) {
    raw.pragma('journal_mode = WAL');
    raw.pragma('synchronous = FULL');
    // better-sqlite3 is built to fall back to NORMAL on a reopened WAL file, which loses acknowledged commits at power loss
    if (
      raw.pragma('synchronous', { simple: true }) !== 2 ||
      raw.pragma('journal_mode', { simple: true }) !== 'wal'
    ) {
      throw damaged(path, 'it does not take journal_mode=WAL with synchronous=FULL');
    }
  }
  raw.pragma('foreign_keys = ON');
}

/** Empty, cut and zeroed files open without complaint and fail later: look before opening. */
function assertHeader(path: string): void {
  if (!statSync(path).isFile()) throw damaged(path, 'it is not a file');
  const head = Buffer.alloc(16);
  const file = openSync(path, 'r');
  try {
    readSync(file, head, 0, 16, 0);
  } finally {
    closeSync(file);
  }
  if (head.toString('latin1') !== 'SQLite format 3\0') throw damaged(path, 'it is not an SQLite file');
}

function damaged(path: string, why: string): Problem {
  return new Problem('damaged_database', `${path} can't be used: ${why}`, {
    remedy: 'The file was left as it is. Move it aside and restore the latest copy from .touchstone/backups.',
    exitCode: 3,
    status: 500,
  });
}

function backUp(raw: Sqlite.Database, folder: string, at: string): void {
  const backups = join(folder, 'backups');
  mkdirSync(backups, { recursive: true, mode: 0o700 });
  raw.prepare('VACUUM INTO ?').run(join(backups, `before-migration-${at.replaceAll(/[:.]/g, '-')}.db`));
}

function compareVersions(one: string, other: string): number {
  const [a, b] = [one, other].map((version) => version.split('.').map(Number));
  for (let part = 0; part < 3; part++) {
    const difference = (a?.[part] ?? 0) - (b?.[part] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
