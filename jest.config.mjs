const swc = (module) => ({
  swcrc: false,
  sourceMaps: 'inline',
  module: { type: module },
  jsc: {
    target: 'es2023',
    keepClassNames: true,
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
  },
});

/** Published as ESM only: Jest cannot require() that on Node 20. */
const esmOnly = 'cookie|content-disposition|@apidevtools/json-schema-ref-parser';

export default {
  testEnvironment: 'node',
  // The `source` condition makes the `#...` aliases of package.json lead to the TypeScript sources.
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  roots: ['apps', 'libs', 'projections', 'test'].map((folder) => `<rootDir>/${folder}`),
  testMatch: ['**/*.spec.ts'],
  // Waits have limits of their own; this one is for tests that forget theirs, on a busy machine.
  testTimeout: 180_000,
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': ['@swc/jest', swc('es6')],
    [`/node_modules/(${esmOnly})/.+\\.js$`]: ['@swc/jest', swc('commonjs')],
  },
  transformIgnorePatterns: [`/node_modules/(?!(${esmOnly})/)`],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  coverageProvider: 'babel',
  collectCoverageFrom: ['apps/*/src/**/*.ts', 'libs/*/src/**/*.ts', 'projections/**/*.ts'],
  // Many tests wait for processes of their own: a third worker fills two cores.
  maxWorkers: 3,
};
