/**
 * Jest as Stryker runs it: the specs of the domain, those that read price sheets by its rules, and the golden
 * files of its events, in an environment that Stryker can extend.
 */
import process from 'node:process';
import config from '../../jest.config.mjs';

const [unit] = config.projects;

export default {
  ...unit,
  rootDir: process.cwd(),
  roots: ['<rootDir>/libs/domain', '<rootDir>/libs/price-books', '<rootDir>/test/contract'],
  testMatch: [
    '**/libs/{domain,price-books}/**/*.spec.ts',
    '**/test/contract/stored-events.spec.ts',
  ],
  testEnvironment: 'jest-environment-node',
  testRunner: 'jest-circus/runner',
  // What looks for the specs of a file does not know the conditions by which our aliases lead to the sources.
  moduleNameMapper: {
    ...unit.moduleNameMapper,
    '^#domain/(.*)$': '<rootDir>/libs/domain/src/$1/index.ts',
    '^#projections$': '<rootDir>/projections/index.ts',
    '^#projection-engine/define$': '<rootDir>/libs/projection-engine/src/define/index.ts',
    '^#([a-z-]+)$': '<rootDir>/libs/$1/src/index.ts',
  },
};
