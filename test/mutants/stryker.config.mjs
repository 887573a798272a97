/**
 * `npm run stryker`: changes every operator, condition and text of the domain, of the worker's feed and delivery and of
 * the command executor, one at a time, and sees that a unit spec turns red (decision 0007). It takes hours of two cores
 * and is no part of `npm test`; the second run tries only changes. `npm run stryker -- --mutate
 * 'libs/domain/src/money/*.ts'` tries a part.
 */
const MUTATED = [
  'libs/domain/src/**/*.ts',
  'apps/worker/src/{feed,delivery,backup}/**/*.ts',
  'libs/event-store/src/**/command-exec*.ts',
];

export default {
  testRunner: 'vitest',
  vitest: { configFile: 'test/mutants/vitest.config.mjs', related: true },
  coverageAnalysis: 'perTest',
  mutate: [
    ...MUTATED,
    '!**/*.spec.ts',
    '!**/spec-support/**',
    // CLDR's tables, which a test compares with the generator's output.
    '!**/generated/**',
  ],
  // Folders that no unit spec of these sources reads.
  ignorePatterns: ['coverage', 'data', 'dist', 'docs', 'reports', 'tools'],
  thresholds: { high: 95, low: 90, break: 85 },
  incremental: true,
  incrementalFile: 'reports/mutation/incremental.json',
  reporters: ['progress', 'clear-text', 'json', 'html'],
  clearTextReporter: { logTests: false, reportTests: false, allowColor: false },
  disableTypeChecks: false,
  concurrency: 2,
  packageManager: 'npm',
};
