/**
 * Three tiers, told apart by the names of their files: `*.spec.ts` stays in memory, `*.int.spec.ts` has
 * real services, `*.e2e.spec.ts` the whole system. `npm test` runs all of them, `npm run test:unit`,
 * `test:int` and `test:e2e` one each. `*.long.spec.ts` are of `npm run test:long` alone.
 */
import process from 'node:process';
import swc from 'unplugin-swc';
import { defineConfig } from 'vitest/config';
import { makeMemoryFolder } from './test/tiers/memory-folder.mjs';

// The ledger's days are UTC's. Where the machine's are, too, no test would see the two mistaken.
process.env.TZ ??= 'Pacific/Chatham';

// Each Node that inherits it reads all of its authorities before anything runs, and tests reach no machine but this one.
delete process.env.NODE_EXTRA_CA_CERTS;

// Where tests make their folders: waits for a disk are a tenth of their time, and no test cuts the power.
const folder = process.env.TMPDIR ?? makeMemoryFolder();
if (folder !== undefined) process.env.TMPDIR = folder;

/** Waits have limits of their own; this one is for tests that forget theirs, on a busy machine. */
const TEST_LIMIT_MS = 180_000;

// The `source` condition makes the `#...` aliases of package.json lead to the TypeScript sources.
const conditions = ['source', 'node', 'node-addons', 'import', 'module', 'default'];

const plugins = [
  swc.vite({
    swcrc: false,
    tsconfigFile: false,
    sourceMaps: true,
    module: { type: 'es6' },
    jsc: {
      target: 'es2023',
      keepClassNames: true,
      parser: { syntax: 'typescript', decorators: true, tsx: true },
      transform: {
        legacyDecorator: true,
        decoratorMetadata: true,
        useDefineForClassFields: false,
        react: { runtime: 'automatic' },
      },
    },
  }),
];

const files = (ending) =>
  ['apps', 'libs', 'projections', 'test'].map((part) => `${part}/**/*${ending}.spec.ts`);

/** A tier. Its files share the modules of a process: each reads them once (decision 0007). */
const tier = (name, { setup = [], ...more }) => ({
  plugins,
  oxc: false,
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    name,
    pool: 'forks',
    isolate: false,
    restoreMocks: true,
    testTimeout: TEST_LIMIT_MS,
    hookTimeout: TEST_LIMIT_MS,
    teardownTimeout: TEST_LIMIT_MS,
    setupFiles: ['test/tiers/environment.mjs', ...setup],
    ...more,
  },
});

export default defineConfig({
  test: {
    projects: [
      tier('unit', {
        include: files(''),
        exclude: ['**/*.{int,e2e,long}.spec.ts'],
        // Fails a spec that opens a socket or starts a process, so that the tier stays quick.
        setup: ['test/tiers/closed-doors.ts', 'test/tiers/fresh-metrics.ts'],
      }),
      tier('int', { include: files('.int') }),
      tier('e2e', {
        include: files('.e2e'),
        // Tests that kill nothing share one standalone.
        globalSetup: ['test/tiers/keeper.mjs'],
      }),
      tier('long', { include: files('.long') }),
    ],
    // Many tests wait for processes of their own: it takes five workers to fill two cores.
    maxWorkers: 5,
    coverage: {
      include: ['apps/*/src/**/*.{ts,tsx}', 'libs/*/src/**/*.ts', 'projections/**/*.ts'],
    },
  },
});
