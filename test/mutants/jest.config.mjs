/** Jest as Stryker runs it: the unit specs beside the changed sources, and the golden files of the events. */
import process from 'node:process';
import config from '../../jest.config.mjs';

const [unit] = config.projects;
const FOLDERS = ['libs/domain', 'libs/price-books', 'libs/event-store', 'apps/worker'];

export default {
  ...unit,
  rootDir: process.cwd(),
  roots: [...FOLDERS, 'test/contract'].map((folder) => `<rootDir>/${folder}`),
  testMatch: [...FOLDERS.map((folder) => `**/${folder}/**/*.spec.ts`), '**/stored-events.spec.ts'],
  // Stryker extends an environment of Jest's own by its name.
  testEnvironment: 'jest-environment-node',
  // Jest looks for the specs of a file without the conditions by which our aliases lead to the sources.
  moduleNameMapper: {
    ...unit.moduleNameMapper,
    '^#domain/(.*)$': '<rootDir>/libs/domain/src/$1/index.ts',
    '^#projections$': '<rootDir>/projections/index.ts',
    '^#projection-engine/define$': '<rootDir>/libs/projection-engine/src/define/index.ts',
    '^#([a-z-]+)$': '<rootDir>/libs/$1/src/index.ts',
  },
};
