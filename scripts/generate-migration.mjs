// Generates a migration with drizzle-kit and makes its new tables STRICT, which drizzle-kit can't say.
// Usage: npm run db:generate -- --name what_changes
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const folder = new URL('../server/db/migrations/', import.meta.url);
const before = new Set(readdirSync(folder));
const made = spawnSync('npx', ['drizzle-kit', 'generate', ...process.argv.slice(2)], { stdio: 'inherit' });
if (made.status !== 0) process.exit(made.status ?? 1);
for (const name of readdirSync(folder)) {
  if (before.has(name) || !name.endsWith('.sql')) continue;
  const file = new URL(name, folder);
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^\);$/gm, ') STRICT;'));
}
