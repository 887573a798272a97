import 'reflect-metadata';
import process from 'node:process';
import { CommandFactory } from 'nest-commander';
import { endWithReader } from '#platform';
import { CliModule } from './cli.module.js';
import { loadCommands } from './command-groups.js';
import { wantsJson } from './output.js';
import { reportError } from './report.js';

/**
 * The command line asks the API, with an operator's token: a write to the store from here would be a second road in
 * (rules/events 3). Groups for the holders of the store or MASTER_KEY alone open the store, and write by the same
 * executor of commands: `streams`, `seal`, `store`, `parked`, `players`, `master-key`, `operator-token`.
 */
endWithReader();
run().catch(end);

async function run(): Promise<void> {
  const commands = await loadCommands(process.argv.slice(2));
  await CommandFactory.run(CliModule.of(commands), { errorHandler: end, serviceErrorHandler: end });
}

function end(error: unknown): never {
  const { text, exitCode } = reportError(error, wantsJson());
  process.stderr.write(text);
  process.exit(exitCode);
}
