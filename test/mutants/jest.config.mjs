/** Jest as Stryker runs it: the specs of the domain, in an environment that Stryker can extend. */
import process from 'node:process';
import config from '../../jest.config.mjs';

const [unit] = config.projects;

export default {
  ...unit,
  rootDir: process.cwd(),
  roots: ['<rootDir>/libs/domain'],
  testEnvironment: 'jest-environment-node',
};
