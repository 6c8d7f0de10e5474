import { svelte } from '@sveltejs/vite-plugin-svelte';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

const root = import.meta.dirname;
/** Where `touchstone serve` listens while the pages are worked on. */
const server = 'http://127.0.0.1:4646';

export default defineConfig({
  root: `${root}/web`,
  plugins: [svelte({ configFile: false }), dropUnusedSchemas()],
  server: {
    host: '127.0.0.1',
    // The server takes writes from its own origin only.
    proxy: { '^/api/': { target: server, changeOrigin: true, headers: { origin: server } } },
  },
  build: {
    outDir: `${root}/dist/web`,
    emptyOutDir: true,
    target: 'es2023',
    modulePreload: { polyfill: false },
    // The server's CSP allows no data: or inline styles and scripts, so nothing is folded into another file.
    assetsInlineLimit: 0,
    manifest: true,
  },
  test: {
    root,
    projects: [
      {
        extends: true,
        test: { name: 'code', root, include: ['test/**/*.test.ts'], exclude: ['test/web/browser/**'] },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          root,
          include: ['test/web/browser/**/*.test.ts'],
          globalSetup: ['test/web/browser/build.ts'],
          fileParallelism: false,
          // They measure how fast a page answers, so they run when nothing else does.
          sequence: { groupOrder: 1 },
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});

/**
 * Lets the bundler leave out each schema of core that no page reads: the calls that build them are marked as free of
 * effects, which core's are by rule. Without it a page that imports one function of core carries all of zod.
 */
function dropUnusedSchemas(): Plugin {
  return {
    name: 'drop-unused-schemas',
    apply: 'build',
    enforce: 'post',
    transform: {
      filter: { id: /\/core\/[^/]+\.ts$/ },
      handler(code) {
        let marked = code;
        for (const statement of this.parse(code).body.toReversed()) {
          const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
          if (declared?.type !== 'VariableDeclaration') continue;
          for (const { init } of declared.declarations.toReversed()) {
            if (init?.type !== 'CallExpression' && init?.type !== 'ObjectExpression') continue;
            const { start, end } = init;
            marked = `${marked.slice(0, start)}/*#__PURE__*/ (() => (${marked.slice(start, end)}))()${marked.slice(end)}`;
          }
        }
        return { code: marked, map: null };
      },
    },
  };
}
