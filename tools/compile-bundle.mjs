/**
 * `node tools/compile-bundle.mjs FILE [ARGUMENT ...]`: runs a bundled program until it ends, and keeps what V8
 * has compiled of it by then beside it.
 */
import { chmodSync, writeSync } from 'node:fs';
import process from 'node:process';
import { loadBundle } from './run-bundle.cjs';

/** The file descriptor on which the caller listens: the exit code is the program's own. */
const REPORT = 3;

// As it is where the program is started by itself.
process.argv.splice(1, 1);
const bundle = loadBundle(process.argv[1]);
process.once('exit', () => {
  // The program may have made its files unreadable for others.
  chmodSync(bundle.keepCompiledCode(), 0o644);
  writeSync(REPORT, 'written');
});
bundle.run();
