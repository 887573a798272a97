import hooks from 'node:async_hooks';
import { createRequire } from 'node:module';

const requireOfTests = createRequire(import.meta.url);
const requireOfJest = createRequire(requireOfTests.resolve('jest/package.json'));
const { default: runCircus } = requireOfJest('jest-circus/runner');
const HANDLERS = Symbol.for('EVENT_HANDLERS');
const sourceMaps = new Map();

/**
 * Runs a file as Jest does, but what Jest needs beside the tests themselves is loaded once for each Jest
 * worker: `expect` alone takes longer to load than most files of the unit tier to run. The part that knows
 * the tests of a file is loaded anew.
 */
export default async function runFile(globalConfig, config, environment, runtime, ...rest) {
  const sharing = Object.create(runtime, { requireInternalModule: { value: loadAnew } });
  // A module that was kept from an earlier file has its lines here, too.
  const mapsOfFile = runtime.getSourceMaps();
  for (const [file, map] of sourceMaps) mapsOfFile.set(file, map);
  try {
    return await runCircus(globalConfig, config, environment, sharing, ...rest);
  } finally {
    for (const [file, map] of mapsOfFile) sourceMaps.set(file, map);
  }
}

/**
 * The test or hook that runs, for which Jest has an AsyncLocalStorage. With one of these, Node shows each promise and
 * callback to it, which takes a twentieth of what Jest's workers do. Our tests run one after the other: an uncaught error
 * is that of the one that runs.
 */
class RunningTest {
  #store;

  getStore() {
    return this.#store;
  }

  run(store, callback) {
    const before = this.#store;
    const leave = () => (this.#store = before);
    this.#store = store;
    const result = callback();
    result.then(leave, leave);
    return result;
  }
}

function loadAnew(file) {
  delete globalThis[HANDLERS];
  delete requireOfJest.cache[file];
  const { AsyncLocalStorage } = hooks;
  hooks.AsyncLocalStorage = RunningTest;
  try {
    return requireOfJest(file);
  } finally {
    hooks.AsyncLocalStorage = AsyncLocalStorage;
  }
}
