import 'reflect-metadata';
import process from 'node:process';
import { CommandFactory } from 'nest-commander';
import { endWithReader } from '#platform';
import { CliModule } from './cli.module.js';
import { wantsJson } from './output.js';
import { reportError } from './report.js';

/**
 * The command line asks the API, with an operator's token: a write to the store from here would be a
 * second road in (rules/events 3). What is for those alone who hold the store or MASTER_KEY opens the store, and
 * writes by the same executor of commands: `streams`, `store`, `parked`, `players`, `master-key`, `operator-token`.
 */
endWithReader();
CommandFactory.run(CliModule, { errorHandler: end, serviceErrorHandler: end }).catch(end);

function end(error: unknown): never {
  const { text, exitCode } = reportError(error, wantsJson());
  process.stderr.write(text);
  process.exit(exitCode);
}
