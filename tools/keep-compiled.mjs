/**
 * `node --import .../dist/programs/keep-compiled.mjs dist/programs/NAME.js`: keeps, when the program ends, what V8 has
 * compiled of it by then. The build does so for programs at work, which have compiled more than those that are only
 * loaded.
 */
import { chmodSync } from 'node:fs';
import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { keepCompiledCode } from './run-bundle.cjs';

const patience = process.execArgv.find((flag) => flag.startsWith('--interrupt-budget='));

process.once('exit', () => {
  // What is kept is for starts with these flags, and a program that is ready has changed one (decision 0189).
  if (patience !== undefined) setFlagsFromString(patience);
  const kept = keepCompiledCode();
  // The program may have made its files unreadable for others.
  if (kept !== undefined) chmodSync(kept, 0o644);
});
