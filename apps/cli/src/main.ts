import 'reflect-metadata';
import process from 'node:process';
import { CommandFactory } from 'nest-commander';
import { CliError, EXIT_FAILED, EXIT_USAGE } from './cli-error.js';
import { CliModule } from './cli.module.js';

/** What commander throws after it has said it all: help that was asked for, or a bad command line. */
interface Spoken extends Error {
  readonly exitCode: number;
}

try {
  await CommandFactory.run(CliModule, { errorHandler: end, serviceErrorHandler: end });
} catch (error) {
  end(error);
}

/** One sentence, then its details; never a stack. */
function end(error: unknown): never {
  if (isSpoken(error)) process.exit(error.exitCode === 0 ? 0 : EXIT_USAGE);
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`subledger: ${message}\n`);
  if (!(error instanceof CliError)) process.exit(EXIT_FAILED);
  for (const line of error.details) process.stderr.write(`  ${line}\n`);
  process.exit(error.exitCode);
}

function isSpoken(error: unknown): error is Spoken {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('commander.');
}
