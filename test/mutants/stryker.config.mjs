/**
 * `npm run stryker`: changes every operator, condition and text of the domain, one at a time, and sees that a
 * spec of the domain turns red (decision 0088). It takes an hour of two cores and is no part of `npm test`;
 * the second run tries only what has changed. `npm run stryker -- --mutate 'libs/domain/src/money/*.ts'` tries
 * a part.
 */
export default {
  testRunner: 'jest',
  // Jest needs it for modules.
  testRunnerNodeArgs: ['--experimental-vm-modules', '--no-warnings'],
  jest: { configFile: 'test/mutants/jest.config.mjs', enableFindRelatedTests: true },
  coverageAnalysis: 'perTest',
  mutate: [
    'libs/domain/src/**/*.ts',
    '!libs/domain/src/**/*.spec.ts',
    '!libs/domain/src/**/spec-support/**',
    // CLDR's tables, which a test compares with what the generator makes of CLDR.
    '!libs/domain/src/**/generated/**',
  ],
  // What is not copied: neither the domain nor its golden files stand on it.
  ignorePatterns: ['apps', 'coverage', 'data', 'dist', 'docs', 'reports', 'tools'],
  // The promise of the domain's specs.
  thresholds: { high: 95, low: 90, break: 85 },
  incremental: true,
  incrementalFile: 'reports/mutation/incremental.json',
  reporters: ['progress', 'clear-text', 'json', 'html'],
  clearTextReporter: { logTests: false, reportTests: false, allowColor: false },
  disableTypeChecks: false,
  concurrency: 2,
  packageManager: 'npm',
};
