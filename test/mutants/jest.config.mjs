/**
 * Jest as Stryker runs it: the specs of the domain, and the golden files of its events, in an environment that
 * Stryker can extend.
 */
import process from 'node:process';
import config from '../../jest.config.mjs';

const [unit] = config.projects;

export default {
  ...unit,
  rootDir: process.cwd(),
  roots: ['<rootDir>/libs/domain', '<rootDir>/test/contract'],
  testMatch: ['**/libs/domain/**/*.spec.ts', '**/test/contract/stored-events.spec.ts'],
  testEnvironment: 'jest-environment-node',
};
