import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { WorkspaceConfig } from '../core/workspace.ts';
import { nativeDigest } from '../harness/digest.ts';
import { parseMapping } from '../harness/formats/in/mapping.ts';
import { openStore } from '../server/db/store.ts';
import { importFile } from '../server/import.ts';

/*
 * Import against raw SQLite in one run: the same rows, table, indexes and sync setting, inserted by one prepared
 * statement in transactions of 2,000. The ratio is what is promised; rates depend on the machine.
 */
const rows = Number(process.argv[2] ?? 1_000_000);
const folder = mkdtempSync(join(tmpdir(), 'touchstone-bench-'));
try {
  const file = join(folder, 'rows.jsonl');
  writeRows(file, rows);
  const now = () => '2026-01-01T00:00:00.000Z';
  const store = openStore(
    { root: folder, config: WorkspaceConfig.parse({ name: 'bench' }) },
    { now, command: 'bench' },
  );
  let peak = 0;
  const started = performance.now();
  const report = await importFile(store, createReadStream(file, { highWaterMark: 1 << 20 }), {
    dataset: 'bench',
    format: 'jsonl',
    kind: 'single',
    mapping: parseMapping([]),
    criterion: null,
    rubric: null,
    digest: nativeDigest,
    now: now(),
    onProgress: () => {
      peak = Math.max(peak, process.memoryUsage.rss());
    },
  });
  const ours = rows / ((performance.now() - started) / 1000);
  store.close();
  const raw = rawRate(join(folder, '.touchstone/touchstone.db'), join(folder, 'raw.db'));
  console.log(
    `import: ${report.added} rows, ${ours.toFixed(0)} rows/s, peak memory ${(peak / 1e6).toFixed(0)} MB`,
  );
  console.log(`raw prepared insert: ${raw.toFixed(0)} rows/s`);
  console.log(`ratio import / raw: ${(ours / raw).toFixed(2)} (bar: 0.40)`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function writeRows(file: string, count: number): void {
  writeFileSync(file, '');
  for (let from = 0; from < count; from += 50_000) {
    let text = '';
    for (let i = from; i < Math.min(count, from + 50_000); i++) {
      text += `${JSON.stringify({
        id: `row-${i}`,
        input: `Order ${i} arrived damaged; the customer asks for ${i % 100} dollars back.`,
        output: `We are sorry. A refund of ${i % 97} dollars for order ${i} was asked for and takes five days.`,
        context: `order ${i}, paid ${i % 100} dollars`,
        metadata: { channel: i % 2 === 0 ? 'email' : 'chat' },
      })}\n`;
    }
    writeFileSync(file, text, { flag: 'a' });
  }
}

function rawRate(from: string, to: string): number {
  const source = new Sqlite(from, { readonly: true });
  const db = new Sqlite(to);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  const sqls = source
    .prepare<[], { sql: string }>(
      "SELECT sql FROM sqlite_master WHERE tbl_name IN ('samples', 'datasets') AND sql IS NOT NULL ORDER BY type DESC",
    )
    .all();
  for (const { sql } of sqls) db.exec(sql);
  db.exec("INSERT INTO datasets (id, name, created_at) VALUES (1, 'bench', '')");
  const columns = source.prepare('SELECT * FROM samples').columns().length;
  const insert = db.prepare(`INSERT INTO samples VALUES (${Array(columns).fill('?').join(', ')})`);
  const page = source
    .prepare<[number], unknown[]>('SELECT * FROM samples WHERE seq > ? ORDER BY seq LIMIT 2000')
    .raw();
  let [after, count, spent] = [0, 0, 0];
  for (;;) {
    const batch = page.all(after);
    const last = batch.at(-1);
    if (last === undefined) break;
    after = Number(last[0]);
    const started = performance.now();
    db.transaction(() => {
      for (const row of batch) insert.run(row);
    }).immediate();
    spent += performance.now() - started;
    count += batch.length;
  }
  source.close();
  db.close();
  return count / (spent / 1000);
}
