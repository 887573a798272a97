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

function loadAnew(file) {
  delete globalThis[HANDLERS];
  delete requireOfJest.cache[file];
  return requireOfJest(file);
}
