/**
 * `node --import .../dist/programs/keep-compiled.mjs dist/programs/NAME.js`: keeps, when the program ends, what V8 has
 * compiled of it by then. The build does so for programs at work, which have compiled more than those that are only
 * loaded.
 */
import { chmodSync } from 'node:fs';
import process from 'node:process';
import { keepCompiledCode } from './run-bundle.cjs';

process.once('exit', () => {
  const kept = keepCompiledCode();
  // The program may have made its files unreadable for others.
  if (kept !== undefined) chmodSync(kept, 0o644);
});
