import 'reflect-metadata';
import process from 'node:process';
import { CommandFactory } from 'nest-commander';
import { endWithReader } from '#platform';
import { CliModule } from './cli.module.js';
import { wantsJson } from './output.js';
import { reportError } from './report.js';

/**
 * The command line asks the API, with an operator's token: a write to the store from here would be a
 * second road in (rules/events 3). `streams` and `operator-token` alone open the store (rules/operators 3).
 */
endWithReader();
CommandFactory.run(CliModule, { errorHandler: end, serviceErrorHandler: end }).catch(end);

function end(error: unknown): never {
  const { text, exitCode } = reportError(error, wantsJson());
  process.stderr.write(text);
  process.exit(exitCode);
}
