/** The house's directions, each with its remedy. See docs/architecture.md. */
const code = '^(core|harness|server|cli|web)/';
module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      comment:
        'Two files that need each other are one idea, or hide a third: move what both need into a file below them.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'core-stands-alone',
      comment:
        'core holds words and sums and runs in the browser: take files, network, time and randomness as arguments, or move the code to harness.',
      severity: 'error',
      from: { path: '^core/' },
      to: { path: '^(harness|server|cli|web)/' },
    },
    {
      name: 'core-imports-no-node',
      comment: 'core runs in the browser: pass what Node does in as an argument.',
      severity: 'error',
      from: { path: '^core/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'core-imports-few',
      comment:
        'core imports zod, statistics packages, canonicalize and @noble/hashes only; anything else belongs to harness.',
      severity: 'error',
      from: { path: '^core/' },
      to: {
        path: 'node_modules/',
        pathNot:
          'node_modules/(zod|@stdlib|simple-statistics|d3-array|pure-rand|ml-matrix|canonicalize|@noble/hashes|@types)/',
      },
    },
    {
      name: 'harness-below-server',
      comment: 'harness runs without the server: take a Ledger or a callback as an argument.',
      severity: 'error',
      from: { path: '^harness/' },
      to: { path: '^(server|cli|web)/' },
    },
    {
      name: 'server-below-cli',
      comment: 'server knows no command line: yield events and return reports, let cli draw them.',
      severity: 'error',
      from: { path: '^server/' },
      to: { path: '^(cli|web)/' },
    },
    {
      name: 'web-sees-core-and-the-api-type',
      comment: 'web talks HTTP: import types of server/app.ts only, and schemas and sums from core.',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^(harness|server|cli)/', pathNot: '^server/app\\.ts$' },
    },
    {
      name: 'web-imports-the-api-as-type',
      comment: 'Import { type Api } from server/app.ts: a value import would bundle the server.',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^server/app\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'sdks-only-in-provider',
      comment: 'SDKs change under us: only harness/provider may know them. Use the Provider interface.',
      severity: 'error',
      from: { path: code, pathNot: '^harness/provider/' },
      to: { path: 'node_modules/(openai|@anthropic-ai|@google/genai|undici)/' },
    },
    {
      name: 'sql-only-in-db',
      comment: 'SQL lives in server/db, one store a noun: add a method there.',
      severity: 'error',
      from: { path: code, pathNot: '^server/db/' },
      to: { path: 'node_modules/(better-sqlite3|drizzle-orm)/' },
    },
    {
      name: 'code-imports-no-test',
      comment: 'Code that only tests need lives in test/.',
      severity: 'error',
      from: { path: code },
      to: { path: '^(test|bench|scripts)/' },
    },
    {
      name: 'no-dev-dependency-in-code',
      comment: 'What runs needs to be in dependencies (web is bundled: there devDependencies are right).',
      severity: 'error',
      from: { path: '^(core|harness|server|cli)/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|node_modules)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.mjs', '.json', '.svelte'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
};
