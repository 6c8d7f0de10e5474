import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { knownMigrations, type Migration } from '../../../server/db/migrate.ts';
import { openDatabase } from '../../../server/db/open.ts';
import { takeOwnership } from '../../../server/db/owner.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-db-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const now = () => '2026-01-01T00:00:00.000Z';
const open = (migrations?: Migration[]) => openDatabase(folder, { now, ...(migrations && { migrations }) });
const path = () => join(folder, 'touchstone.db');
const hashOfFile = () => createHash('sha256').update(readFileSync(path())).digest('hex');

function migration(id: string, sql: string): Migration {
  return { id, sql, hash: createHash('sha256').update(sql).digest('hex') };
}

describe('the database', () => {
  it('syncs every commit, also when it is opened again', () => {
    open().raw.close();
    const { raw } = open();
    expect(raw.pragma('journal_mode', { simple: true })).toBe('wal');
    expect(raw.pragma('synchronous', { simple: true })).toBe(2);
    expect(raw.pragma('foreign_keys', { simple: true })).toBe(1);
    raw.close();
  });

  it('has strict tables only, and no cascade anywhere', () => {
    const { raw } = open();
    const tables = raw
      .prepare<[], { name: string; strict: number }>(
        "SELECT name, strict FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'",
      )
      .all();
    expect(tables.length).toBeGreaterThan(9);
    expect(tables.filter(({ strict }) => strict !== 1)).toEqual([]);
    for (const { name } of tables) {
      const keys = raw.pragma(`foreign_key_list(${name})`);
      expect(JSON.stringify(keys)).not.toContain('CASCADE');
    }
    raw.close();
  });

  it.each(['labels', 'verdicts', 'calls', 'replies', 'looks', 'reveals', 'attack_reports'])(
    'takes no change and no deletion in %s',
    (table) => {
      const { raw } = open();
      const columns = raw
        .prepare<[], { name: string }>(`SELECT name FROM pragma_table_info('${table}')`)
        .all();
      raw.pragma('foreign_keys = OFF');
      const values = raw
        .prepare<[], { type: string }>(`SELECT type FROM pragma_table_info('${table}')`)
        .all()
        .map(({ type }) => (type === 'INTEGER' ? 1 : type === 'REAL' ? 1.5 : 'x'));
      raw.prepare(`INSERT INTO ${table} VALUES (${columns.map(() => '?').join(', ')})`).run(...values);
      expect(() => raw.exec(`UPDATE ${table} SET ${columns[0]?.name} = 2`)).toThrow(
        `${table} is append-only`,
      );
      expect(() => raw.exec(`DELETE FROM ${table}`)).toThrow(`${table} is append-only`);
      raw.close();
    },
  );

  it.each([
    ['an empty file', () => writeFileSync(path(), ''), 'not an SQLite file'],
    ['a text file', () => writeFileSync(path(), 'hello, I am no database at all'), 'not an SQLite file'],
    ['a file cut short', () => truncateSync(path(), 5000), 'damaged|malformed'],
    [
      'a zeroed header',
      () => writeFileSync(path(), Buffer.concat([Buffer.alloc(100), readFileSync(path()).subarray(100)])),
      'not an SQLite file',
    ],
    ["another program's database", () => foreign(path()), "another program's"],
  ])('refuses %s and leaves it as it is', (_, spoil, why) => {
    open().raw.close();
    for (const name of readdirSync(folder)) if (name !== 'touchstone.db') rmSync(join(folder, name));
    spoil();
    const before = hashOfFile();
    expect(() => open()).toThrow(new RegExp(why));
    expect(hashOfFile()).toBe(before);
  });
});

function foreign(file: string): void {
  rmSync(file);
  const db = new Sqlite(file);
  db.exec('CREATE TABLE other (x)');
  db.close();
}

describe('migrations', () => {
  const base = knownMigrations();

  it('are refused when a newer build has been here', () => {
    open([...base, migration('9999_future', 'CREATE TABLE future (x INTEGER) STRICT')]).raw.close();
    expect(() => open(base)).toThrow(
      `the database has migration 9999_future, this build ends at ${base.at(-1)?.id}`,
    );
  });

  it('are refused when one was edited after it was applied', () => {
    open().raw.close();
    const edited = base.map((one) => (one.id === base[0]?.id ? migration(one.id, `${one.sql}-- x`) : one));
    expect(() => open(edited)).toThrow('migration 0000_initial was edited after it was applied');
  });

  it('are refused when one comes late, before one that is applied', () => {
    open().raw.close();
    const late = [...base, migration('0000_zlate', 'CREATE TABLE late (x INTEGER) STRICT')].sort(
      (one, other) => (one.id < other.id ? -1 : 1),
    );
    expect(() => open(late)).toThrow(`migration 0000_zlate comes before ${base.at(-1)?.id}`);
  });

  it('that would drop rows change nothing', () => {
    const { raw } = open();
    raw.exec("INSERT INTO datasets (name, created_at) VALUES ('d', 'x')");
    raw.close();
    const lossy = migration('9000_lossy', 'DELETE FROM datasets');
    expect(() => open([...base, lossy])).toThrow('would change datasets from 1 to 0 rows');
    const again = open(base);
    expect(again.raw.prepare('SELECT count(*) FROM datasets').pluck().get()).toBe(1);
    again.raw.close();
  });

  it('that rebuild a parent keep its children', () => {
    const { raw } = open();
    raw.exec(
      "INSERT INTO datasets (id, name, created_at) VALUES (1, 'd', 'x'); INSERT INTO samples (dataset, id, kind, input, metadata, content_hash, hash) VALUES (1, 's', 'single', 'i', '{}', 'c', 'h')",
    );
    raw.close();
    const rebuild = migration(
      '9000_rebuild',
      'CREATE TABLE d2 (id INTEGER PRIMARY KEY, name TEXT NOT NULL, rubric TEXT, created_at TEXT NOT NULL) STRICT;--> statement-breakpoint\nINSERT INTO d2 SELECT * FROM datasets;--> statement-breakpoint\nDROP TABLE datasets;--> statement-breakpoint\nALTER TABLE d2 RENAME TO datasets;',
    );
    const after = open([...base, rebuild]);
    expect(after.raw.prepare('SELECT count(*) FROM samples').pluck().get()).toBe(1);
    expect(after.raw.pragma('foreign_keys', { simple: true })).toBe(1);
    after.raw.close();
    expect(readdirSync(join(folder, 'backups'))).toHaveLength(1);
  });

  it('that orphan rows change nothing', () => {
    const { raw } = open();
    raw.exec(
      "INSERT INTO datasets (id, name, created_at) VALUES (1, 'd', 'x'); INSERT INTO samples (dataset, id, kind, input, metadata, content_hash, hash) VALUES (1, 's', 'single', 'i', '{}', 'c', 'h')",
    );
    raw.close();
    const orphan = migration('9000_orphan', 'UPDATE datasets SET id = 2');
    expect(() => open([...base, orphan])).toThrow('would leave 1 rows without their parent');
  });
});

describe('ownership', () => {
  const owner = { pid: 4711, command: 'serve', since: '2026-01-01', url: 'http://127.0.0.1:1' };

  it('is one at a time, and the refusal names the owner', () => {
    const lock = takeOwnership(folder, owner);
    expect(() => takeOwnership(folder, { ...owner, pid: 2 })).toThrow(
      'held by process 4711 (touchstone serve, since 2026-01-01)',
    );
    lock.release();
    takeOwnership(folder, owner).release();
  });

  it('outlives no process: what a dead one left is taken over', () => {
    writeFileSync(join(folder, 'owner.json'), JSON.stringify(owner));
    takeOwnership(folder, owner).release();
  });
});
