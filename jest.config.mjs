/**
 * Three tiers, told apart by the names of their files: `*.spec.ts` stays in memory, `*.int.spec.ts` has
 * real services, `*.e2e.spec.ts` the whole system. `npm test` runs all of them, `npm run test:unit`,
 * `test:int` and `test:e2e` one each. `*.long.spec.ts` are of jest.long.config.mjs.
 */
import process from 'node:process';
import { makeMemoryFolder } from './test/tiers/memory-folder.mjs';

// The ledger's days are UTC's. Where the machine's are, too, no test would see the two mistaken.
process.env.TZ ??= 'Pacific/Chatham';

// Each Node that inherits it reads all of its authorities before anything runs, and tests reach no machine but this one.
delete process.env.NODE_EXTRA_CA_CERTS;

// Where tests make their folders: waits for a disk are a tenth of their time, and no test cuts the power.
const folder = process.env.TMPDIR ?? makeMemoryFolder();
if (folder !== undefined) process.env.TMPDIR = folder;

const swc = (module, parser = { decorators: true }) => ({
  swcrc: false,
  sourceMaps: 'inline',
  module: { type: module },
  jsc: {
    target: 'es2023',
    keepClassNames: true,
    parser: { syntax: 'typescript', ...parser },
    transform: {
      legacyDecorator: true,
      decoratorMetadata: true,
      useDefineForClassFields: false,
      react: { runtime: 'automatic' },
    },
  },
});

/** Published as ESM only, and required by other packages: Jest cannot require() that on Node 20. */
const esmOnly =
  'cookie|content-disposition|@apidevtools/json-schema-ref-parser|@nestjs/(?:common|core)';

const shared = {
  testEnvironment: 'node',
  injectGlobals: false,
  // The `source` condition makes the `#...` aliases of package.json lead to the TypeScript sources.
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  roots: ['apps', 'libs', 'projections', 'test'].map((folder) => `<rootDir>/${folder}`),
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: {
    '^.+\\.ts$': ['@swc/jest', swc('es6')],
    '^.+\\.tsx$': ['@swc/jest', swc('es6', { tsx: true })],
    [`/node_modules/(${esmOnly})/.+\\.js$`]: ['@swc/jest', swc('commonjs')],
  },
  transformIgnorePatterns: [`/node_modules/(?!(.+/node_modules/)?(${esmOnly})/)`],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
};

const tier = (displayName, more) => ({ ...shared, displayName, ...more });

export default {
  projects: [
    tier('unit', {
      testMatch: ['**/*.spec.ts'],
      testPathIgnorePatterns: ['/node_modules/', '\\.(int|e2e|long)\\.spec\\.ts$'],
      // Fails a spec that opens a socket or starts a process, so that the tier stays quick.
      testEnvironment: '<rootDir>/test/tiers/unit-environment.mjs',
    }),
    tier('int', { testMatch: ['**/*.int.spec.ts'] }),
    tier('e2e', {
      testMatch: ['**/*.e2e.spec.ts'],
      // Tests that kill nothing share one standalone.
      globalSetup: '<rootDir>/test/tiers/global-setup.mjs',
      globalTeardown: '<rootDir>/test/tiers/global-teardown.mjs',
    }),
  ],
  // Waits have limits of their own; this one is for tests that forget theirs, on a busy machine.
  testTimeout: 180_000,
  coverageProvider: 'babel',
  collectCoverageFrom: ['apps/*/src/**/*.{ts,tsx}', 'libs/*/src/**/*.ts', 'projections/**/*.ts'],
  testSequencer: '<rootDir>/test/tiers/sequencer.mjs',
  // Many tests wait for processes of their own: it takes five workers to fill two cores.
  maxWorkers: 5,
};
