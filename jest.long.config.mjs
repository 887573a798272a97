/**
 * `npm run test:long`: the tests that take minutes of a processor, `*.long.spec.ts`. They are no part of
 * `npm test`, which has a shorter form of each, or another test of the same guard.
 */
import config from './jest.config.mjs';

const [, int] = config.projects;

export default {
  ...config,
  projects: [{ ...int, displayName: 'long', testMatch: ['**/*.long.spec.ts'] }],
  maxWorkers: 2,
};
