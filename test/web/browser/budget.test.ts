import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { packageRoot } from '../../../harness/asset.ts';

interface Chunk {
  file: string;
  imports?: string[];
}

const built = join(packageRoot(), 'dist/web');
const manifest: Record<string, Chunk> = JSON.parse(readFileSync(join(built, '.vite/manifest.json'), 'utf8'));

/** The chunks that are loaded for some entries, each once. */
function closure(entries: readonly string[]): Set<string> {
  const files = new Set<string>();
  const follow = (name: string) => {
    const chunk = manifest[name];
    if (chunk === undefined) throw new Error(`no chunk ${name}`);
    if (files.has(chunk.file)) return;
    files.add(chunk.file);
    for (const one of chunk.imports ?? []) follow(one);
  };
  for (const entry of entries) follow(entry);
  return files;
}

const kilobytes = (files: Iterable<string>) =>
  [...files]
    .filter((file) => file.endsWith('.js'))
    .reduce((sum, file) => sum + gzipSync(readFileSync(join(built, file)), { level: 9 }).length, 0) / 1000;

test('the label page loads at most 60 kB of script', () => {
  expect(kilobytes(closure(['index.html', 'label/Label.svelte']))).toBeLessThan(60);
});

test('all pages together are at most 120 kB of script', () => {
  expect(kilobytes(closure(Object.keys(manifest)))).toBeLessThan(120);
});

test('nothing is written into the page itself, as the content security policy asks', () => {
  const html = readFileSync(join(built, 'index.html'), 'utf8');
  expect(html).not.toMatch(/<style|style=|<script(?![^>]* src=)|\son\w+=/);
});
