/** Vitest as Stryker runs it: the unit specs beside the changed sources, and the golden files of the events. */
import config from '../../vitest.config.mjs';

const [unit] = config.test.projects;
const FOLDERS = ['libs/domain', 'libs/price-books', 'libs/event-store', 'apps/worker'];

export default {
  ...unit,
  test: {
    ...unit.test,
    include: [
      ...FOLDERS.map((folder) => `${folder}/**/*.spec.ts`),
      'test/contract/**/stored-events.spec.ts',
    ],
  },
};
